import type { ResultStatus } from '../core/base/message.ts'
import type { Price, Usage } from '../core/base/ports.ts'
import type { Decision } from '../core/directives/directives.ts'
import type { Event, TurnStatus } from '../core/events/events.ts'
import type { OpenSpan, Span } from '../core/hooks/span.ts'
import type { OfCallEnd, OfCallStart, OfNodeStart, OfRequestStart, OfTurnEnd, OfTurnStart } from './kept-members.ts'
import type { ConversationSettings } from './settings.ts'

/** A message of the tree, as the server tells it. */
export interface WireNode extends OfNodeStart {
  readonly id: string
  readonly parentId: string | null
  readonly turnId: string | null
  readonly usage?: Usage
  readonly cost?: number
  readonly createdAt: number
}

/** The status of a turn that runs or has ended. */
export type WireTurnStatus = 'running' | TurnStatus

/** A turn of a conversation. */
export interface WireTurn extends OfTurnStart, Partial<OfTurnEnd> {
  readonly id: string
  /** The number of its first event. */
  readonly seq: number
  readonly parentId: string | null
  readonly status: WireTurnStatus
  readonly startedAt: number
  readonly endedAt?: number
}

/** A question that waits for a person. */
export interface WireRequest extends OfRequestStart {
  readonly id: string
  readonly turnId: string
  readonly openedAt: number
}

/** A question of somebody else's conversation that names this person. */
export interface AskedRequest extends WireRequest {
  readonly conversationId: string
  readonly owner: string
}

/** A conversation as the list has it. */
export interface ConversationSummary {
  readonly id: string
  readonly title: string
  readonly head: string | null
  readonly createdAt: number
  readonly updatedAt: number
  /** Absent where no price is known. */
  readonly cost?: number
  readonly usage: Usage
  readonly running: boolean
  /** The number of requests that wait for an answer. */
  readonly waiting: number
  /** On a conversation of somebody else's: whose it is, and how it is shared with this person. */
  readonly owner?: string
  readonly access?: SharedAccess
  /** On a conversation of this person's that is shared: with whom, and how. */
  readonly people?: Readonly<Record<string, SharedAccess>>
}

/** How a conversation is shared with a person: to read, or to talk in. */
export type SharedAccess = 'read' | 'talk'

/** A conversation as a client reads it, to follow it from `seq` on. */
export interface WireConversation {
  readonly id: string
  readonly title: string
  readonly head: string | null
  readonly seq: number
  /** The time of the server's clock, in milliseconds, for clients that show how long a turn or call has been running. */
  readonly at: number
  readonly nodes: readonly WireNode[]
  readonly turns: readonly WireTurn[]
  readonly requests: readonly WireRequest[]
  readonly calls: readonly WireCall[]
  /** The conversation's own settings, where it has any: they count more than the server's. */
  readonly settings?: ConversationSettings
  /** On a conversation of somebody else's: whose it is, and how it is shared with this person. */
  readonly owner?: string
  readonly access?: SharedAccess
  /** On a conversation of this person's that is shared: with whom, and how. */
  readonly people?: Readonly<Record<string, SharedAccess>>
  /** On a sub-agent's conversation: the conversation that it works for, where this person sees that. */
  readonly caller?: ConversationCaller
}

/** The conversation whose turn has called a sub-agent. */
export interface ConversationCaller {
  /** The id of that conversation. */
  readonly conversationId: string
  /** What that conversation is called. */
  readonly title: string
  /** The name of the sub-agent. */
  readonly agent: string
  /** The message that made the call; an older log does not say. */
  readonly messageId?: string
}

/** A call and its status. Call ids are unique within their turn. `messageId` is the message that made it; an older log does not say. */
export interface WireCall
  extends Pick<OfCallStart, 'name'>,
    Partial<Omit<OfCallStart, 'name'>>,
    Partial<Omit<OfCallEnd, 'name' | 'status'>> {
  readonly turnId: string
  readonly callId: string
  readonly status: 'pending' | 'executing' | ResultStatus
  /** The arguments that the call ran with, where a person or a hook had changed those of the model. */
  readonly args?: unknown
  readonly startedAt?: number
  /** The sub-agent that works, or has worked, for the call. */
  readonly agent?: CallAgent
  /** What people have said to the question whether the call may run, in the order they said it. */
  readonly answers?: readonly CallAnswer[]
}

/** A sub-agent that a call was given to. */
export interface CallAgent {
  /** The name of the sub-agent. */
  readonly name: string
  /** Its own conversation. Absent where no store keeps that, so that it cannot be opened. */
  readonly conversationId?: string
  /** Its turn for the call, in that conversation: the last one, where the call was tried again. */
  readonly turnId?: string
}

/** An answer of a person to the question whether a call may run. */
export interface CallAnswer {
  /** The request that was answered. */
  readonly requestId: string
  /** The decision: `allow`, `deny`, or `delegate`. */
  readonly decision: string
  /** The person who answered. */
  readonly by: string
  /** The person whom the question was passed on to. */
  readonly to?: string
}

/** An event as a follower gets it: of the log, a delta, or of the server about the feed itself. */
export type WireEvent =
  | Event
  /** The conversation was deleted: the last that is heard of it. */
  | { readonly type: 'conversation.deleted'; readonly conversationId: string; readonly at: number }
  /** Events are missing that cannot be had any more: read the conversation anew, and follow it from `seq` on. */
  | { readonly type: 'resync'; readonly conversationId: string; readonly seq: number; readonly at: number }
  /** A person has hidden a message, and with it all below. */
  | {
      readonly type: 'message.hidden' | 'message.restored'
      readonly conversationId: string
      readonly messageId: string
      readonly seq: number
      readonly at: number
    }
  /** A person has changed the settings of the conversation: as they are from its next turn on. */
  | {
      readonly type: 'settings.changed'
      readonly conversationId: string
      readonly settings: ConversationSettings
      readonly seq: number
      readonly at: number
    }
  /** A stage or hook has ended. For those who subscribe with `"trace": true`. Not in the log. */
  | {
      readonly type: 'trace.span'
      readonly conversationId: string
      readonly turnId: string
      readonly span: WireSpan
      readonly at: number
    }
  /** A stage or hook has begun. For those who subscribe with `"trace": true`. Not in the log. */
  | {
      readonly type: 'trace.opened'
      readonly conversationId: string
      readonly turnId: string
      readonly span: WireOpenSpan
      readonly at: number
    }

/** A stage or hook that runs: `trace.span` with the same id ends it. */
export type WireOpenSpan = OpenSpan
/** A stage or hook that has ended. */
export type WireSpan = Omit<Span, 'changed' | 'exchanges'> & {
  readonly changed?: readonly WireChange[]
  readonly exchanges?: readonly WireExchange[]
  /** Of a hook that sees every chunk: the calls that this span stands for. `durationMs` is their sum. */
  readonly count?: number
}
/** A model call as text: what was sent, as the provider's package got it, and what came back. */
export interface WireExchange {
  /** The id of the model. */
  readonly model: string
  /** The prompt as the model got it, as text for a person. */
  readonly sent: string
  /** The reply as it came, as text for a person. */
  readonly received: string
  /** The message of the error that ended the call. */
  readonly error?: string
  /** Earlier messages and the schemas of tools were left out. `client.trace` has the whole of turns that ran lately. */
  readonly isShort?: true
}
/** A change that a hook made, as text for a person. */
export interface WireChange {
  readonly what: string
  readonly before: string
  readonly after: string
}

/** The timeline of a turn. */
export interface WireTrace {
  /** In the order they ended. */
  readonly spans: readonly WireSpan[]
  /** Spans that run now, in the order they began. */
  readonly open: readonly WireOpenSpan[]
}

/** A middleware of the server's agent, with the times of its hooks. */
export interface WireMiddleware {
  readonly name: string
  /** What it does, where it says so. */
  readonly description?: string
  readonly enabled: boolean
  readonly priority: number
  readonly guard: boolean
  /** Set on one with rules that hold while it is switched off: the deny rules of `approval`. */
  readonly holdsWhenOff?: true
  readonly hooks: readonly HookFigures[]
  /** By id of this person's conversations, where it is switched for that conversation alone: counts more than `enabled`. */
  readonly inConversations?: Readonly<Record<string, boolean>>
  /** Who switched it, and when: for everyone, or for a conversation. */
  readonly switched?: readonly { readonly by: string; readonly at: number; readonly conversationId?: string }[]
  /** For whom this person may switch it. */
  readonly switchable: readonly ('conversation' | 'everyone')[]
}
/** Times in milliseconds, of the last thousand calls, without what people took to answer. */
export interface HookFigures {
  readonly at: string
  readonly calls: number
  readonly failures: number
  readonly p50: number
  readonly p99: number
}

/** The rights of a person, most first. */
export type PersonRole = 'owner' | 'member' | 'viewer'

/** A person whose token counts now. Of the token only the hash is kept. */
export interface WirePerson {
  /** The name, which is nobody else’s on the server. */
  readonly name: string
  /** The role, which says what the person may do. */
  readonly role: PersonRole
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenHash: string
  /** The owner who made the token while the server ran; absent for one of the environment or the settings. */
  readonly by?: string
  /** Milliseconds since 1970; absent for one of the environment or the settings. */
  readonly createdAt?: number
  /** From then on the token does not count. */
  readonly expiresAt?: number
}

/** An act of a person, as the audit list has it. It has nothing of a conversation's text. */
export interface AuditEntry {
  /** Sorts by time. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** The person who held the token. */
  readonly by: string
  /** The kind of act. */
  readonly act:
    | 'answered'
    | 'voted'
    | 'granted'
    | 'revoked'
    | 'switched'
    | 'shared'
    | 'unshared'
    | 'scheduled'
    | 'unscheduled'
    | 'person.made'
    | 'person.revoked'
    | 'trusted'
    | 'configured'
  /** The request's kind and tool, a middleware, a person, a permission, a schedule, the names of settings: what the act was about. */
  readonly what: string
  /** The outcome: `allow`, `deny`, `on`, `off`, `read`, `talk`, a role. */
  readonly decision?: string
  /** How far a grant reaches, and the pattern that it covers. */
  readonly scope?: string
  /** The pattern of a grant. */
  readonly pattern?: string
  /** The conversation of the act, where it has one. */
  readonly conversationId?: string
  /** The request that was answered. */
  readonly requestId?: string
}

/** A model that conversations can use here. */
export interface WireModel {
  /** The name that the settings and `PATCH` take. */
  readonly id: string
  /** A script that needs nothing, and is no AI. */
  readonly offline?: boolean
  /** The price of its tokens, where it is known. */
  readonly price?: Price
}

/** A file that is sent with a message: as it is, or one that was uploaded before. */
export type Attachment = InlineFile | UploadedFile

/** A file that is sent with its bytes: a message has one MiB in all. */
export interface InlineFile {
  /** The IANA media type. */
  readonly mediaType: string
  /** Base64. */
  readonly data: string
  /** The file's name, where it has one. */
  readonly name?: string
}
/** A file that `uploadFile` has sent ahead. Only its uploader may use it. */
export interface UploadedFile {
  /** The id that the server gave it. */
  readonly id: string
}

/** A message that was hidden, with all below it. */
export interface WireHidden {
  /** The message that `restoreMessage` takes. */
  readonly messageId: string
  /** The beginning of its text. */
  readonly text: string
  /** Number of messages that are hidden with it, itself included. */
  readonly count: number
}

/** A read-only link to a conversation. */
export interface WireShareLink {
  /** Names the link; it is no secret. */
  readonly id: string
  /** `branch`: the messages up to one; `tree`: every branch, as it is when somebody looks. */
  readonly what: 'branch' | 'tree'
  /** The last message of a branch. */
  readonly messageId?: string
  /** The person who made it. */
  readonly by: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/** A message that is to be sent at a time, or again and again. */
export interface NewSchedule {
  /** The message of the user. */
  readonly text: string
  /** The time of the turn, or of the first: milliseconds since 1970. One that is over is now. */
  readonly at: number
  /** Milliseconds from one turn to the next. Without it there is one turn. */
  readonly every?: number | undefined
}

/** A schedule of a conversation. */
export interface WireSchedule extends NewSchedule {
  /** Names the schedule. */
  readonly id: string
  /** The person in whose name its turns are. */
  readonly by: string
  /** The time of its next turn. */
  readonly at: number
}

/** A conversation as a read-only link shows it. */
export interface SharedConversation {
  /** The conversation's title. */
  readonly title: string
  /** How much of the conversation is shown. */
  readonly what: 'branch' | 'tree'
  /** The message to look at first. */
  readonly head: string | null
  /** Without what they cost. */
  readonly nodes: readonly WireNode[]
  /** Sub-agents that these messages have called, where there are any. */
  readonly agents?: readonly SharedAgent[]
}

/** A sub-agent of a conversation that a read-only link shows: the link opens its conversation too. */
export interface SharedAgent {
  /** The turn of the call that it worked for. */
  readonly turnId: string
  /** The call that it worked for. */
  readonly callId: string
  /** The name of the sub-agent. */
  readonly name: string
  /** Its own conversation. */
  readonly conversationId: string
  /** Its turn for the call, in that conversation: a link of one branch shows that conversation to the end of this turn. */
  readonly agentTurnId?: string
}

/** A message to begin a turn with; another answer beside one; or more of what the head has. */
export type NewTurn =
  | SaidTurn
  | {
      /** The id of an answer: another is written beside it, under the same question. */
      readonly regenerate: string
    }
  | {
      /** The turn goes on from the head without a new message. */
      readonly continue: true
    }

/** A message to send, and the place in the tree that it goes to. */
export interface SaidTurn {
  /** The message of the user. */
  readonly text: string
  /** Another message than the head makes a branch; `null` a new beginning. */
  readonly parentId?: string | null
  /** Files that go with the message. */
  readonly attachments?: readonly Attachment[]
}

/** A message that a search has found. */
export interface SearchHit {
  readonly conversationId: string
  readonly title: string
  readonly messageId: string
  readonly role: string
  readonly excerpt: string
  readonly createdAt: number
}

/** A standing permission, with the fields that its store keeps. */
export interface StoredPermission {
  readonly id: string
  readonly [detail: string]: unknown
}

/** A directive with its author, as `explain` lists it. */
export type WireDecision = Decision
