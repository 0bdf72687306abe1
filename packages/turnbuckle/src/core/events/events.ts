import { demand } from '../base/errors.ts'
import type { Message, ResultStatus, Role } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { ReadyMadeEvents } from './ready-made-events.ts'
import type { AnswerTerms, Request } from './request.ts'

/**
 * News for the outside. The names are those of the wire. `npm run events` writes docs/events.md from this union: a line comment
 * opens a section, a doc comment tells of the event below it.
 */
export type EventBody =
  // Turns
  /** A turn has begun, behind the message `parentId`. `tag`: the key that `send(text, { tag })` was given. */
  | { type: 'turn.started'; parentId: string | undefined; tag?: unknown }
  | TurnEnded
  /** The process stops working on the turn, which has not ended: `agent.resume` goes on with it. Not in the log. */
  | { type: 'turn.parked'; reason: string }
  // Messages
  /** An attempt at a reply shows its first text. The message is recorded with `message.added`, or withdrawn with `message.discarded`. */
  | { type: 'message.started'; messageId: string; parentId: string | undefined; role: Role }
  | MessageDelta
  /** All text so far of a reply that is being written, for a reader that comes late. Not in the log. */
  | { type: 'message.text'; messageId: string; text: string; offset: number; reasoning?: true }
  /** A message is recorded: what a person said, a reply, a tool's result, or what a hook wrote. */
  | { type: 'message.added'; messageId: string; parentId: string | undefined; role: Role; message: Message }
  /**
   * An attempt was given up: the text shown of it does not count. `text`: what had been shown of it before its process
   * ended, where that is the reason.
   */
  | { type: 'message.discarded'; messageId: string; reason: string; text?: string }
  /** A recorded message has another content: the result of a tool that an after hook of its batch has replaced. */
  | { type: 'message.replaced'; messageId: string; message: Message }
  /** A setting or a part that the provider could not honour, in its words. */
  | { type: 'model.warning'; messageId: string; text: string }
  // Tool calls
  /**
   * More of the arguments of a call that is being written (`tool.delta`), or all so far, for a reader that comes late (`tool.text`). Not
   * in the log.
   */
  | ({ type: 'tool.delta' | 'tool.text'; messageId: string } & CallText)
  /** A recorded reply asks for the call. Its hooks have not run yet. `messageId` of a call's events is that reply. */
  | { type: 'tool.pending'; callId: string; messageId: string; name: string; args: unknown }
  /** The call begins, with the arguments that hooks and people have left it. */
  | { type: 'tool.executing'; callId: string; messageId: string; name: string; args: unknown }
  /** How far a tool is, in fields of its own. */
  | { type: 'tool.progress'; callId: string; messageId: string; name: string; [detail: string]: unknown }
  | ToolEnded
  /** A result came after the turn had ended. It is kept in the log and not used. */
  | { type: 'tool.late'; callId: string; messageId: string }
  | AgentEvent
  // Questions
  /** A person is asked; the answer goes to `turn.answer(requestId, …)`. */
  | ({ type: 'request.opened'; requestId: string } & Pick<Request, 'kind' | 'payload'> & AnswerTerms)
  /** The first valid answer. `by`: the person who gave it, where that is known. */
  | { type: 'request.answered'; requestId: string; kind: string; decision: unknown; by?: string }
  /** The request is over without an answer: its deadline has passed, or its turn has ended. */
  | { type: 'request.expired'; requestId: string; kind: string; reason: string }
  // Interjections
  /**
   * A person said something while the turn ran. `withheld`: hooks look at messages before they are recorded, so its text is
   * told when it is applied.
   */
  | { type: 'interjection.queued'; text: string; by?: string; withheld?: true }
  /** The last interjection of a person that had not become a message was taken back. `withheld`: as of the one that was queued. */
  | { type: 'interjection.withdrawn'; text: string; withheld?: true }
  /** An interjection has become a message. */
  | { type: 'interjection.applied'; text: string; messageId: string; by?: string }
  // The tree
  /** A hook has edited the path: `messages` stand on a new branch, and the old one stays. */
  | {
      type: 'history.edited'
      /** The last message of the path before. */
      from: string | undefined
      /** The last message of the path now. */
      to: string | undefined
      /** The parent of the first of the messages. */
      parentId: string | undefined
      messages: readonly Message[]
      /** The middleware whose edit it is. */
      by: string
    }
  /** The path goes on elsewhere: by `checkout`, a rewind, or a snapshot that was restored. */
  | { type: 'head.moved'; from: string | undefined; to: string | undefined }
  /** The conversation has another title. */
  | { type: 'title.changed'; from: string | undefined; to: string }
  // Hooks
  /** A hook failed where that does not fail its stage. `point`: the hook, `afterTool` say. */
  | { type: 'hook.failed'; name: string; point: string; error: string }
  /** A middleware was switched on or off. `only`: for this conversation alone. */
  | { type: 'middleware.changed'; name: string; enabled: boolean; only?: true }
  // Usage and the log
  /** The usage of a recorded reply, and the sum of its turn so far. */
  | ({ type: 'usage'; messageId: string; total: Usage } & Usage)
  | CallUsage
  /** The log did not take an event that was told outside of a turn. `event`: its type. Not in the log. */
  | { type: 'log.refused'; event: string; code: string; error: string }

/** Usage of a model call that became no message: an attempt that failed or was given up, or a hook's own call (`generate`). */
export interface CallUsage extends Usage {
  type: 'usage.call'
  messageId: string
  stage: 'model' | 'generate'
  step: number
  /** The number of the attempt in its call, from 0. */
  attempt: number
  /** The middleware whose own call it was, of a `generate`. */
  by?: string
}

/** More of the replies' text, or the end of it that is taken back: text that was given and does not count. */
export type TextDelta = { readonly text: string } | { readonly withdrawn: string }

/** More of the text of a reply, or of its reasoning. Not in the log. */
export interface MessageDelta {
  type: 'message.delta'
  messageId: string
  text: string
  /** Characters of this message (or of its reasoning) before these. */
  offset: number
  reasoning?: true
}

/** Arguments of a call that is being written, as JSON text. `offset`: characters before these. */
export interface CallText {
  callId: string
  name: string
  text: string
  offset: number
}

/** The status of a turn that has ended. */
export type TurnStatus = 'completed' | 'stopped' | 'failed' | 'interrupted'

/** The terminal event: exactly one for every turn, and its last. */
export interface TurnEnded {
  type: 'turn.completed' | 'turn.stopped' | 'turn.failed' | 'turn.interrupted'
  /** The status, as in the type. */
  outcome: TurnStatus
  /** Why it ended: `done`, or what a directive or an error said. */
  reason: string
  /** The middleware, stage or person that ended it, or `model`. */
  by: string
  /** The last reply's. */
  text: string
  /** Why the model ended the last reply, in the provider's word. */
  finishReason?: string
  /** The sum of all its model calls, those of hooks and sub-agents included. */
  usage: Usage
  /** The part of `usage` that other turns of the conversation have told: of branches that were worked on beside this one. */
  elsewhere?: Usage
  /** The error's message, of a turn that failed. */
  error?: string
}

/** The result of a call: `tool.completed` where its status is `ok`, else `tool.failed`. */
export interface ToolEnded {
  type: 'tool.completed' | 'tool.failed'
  callId: string
  /** The message that made the call. */
  messageId: string
  name: string
  status: ResultStatus
  result: unknown
  /** Milliseconds that the tool ran. */
  durationMs: number
}

/**
 * An event of a sub-agent, for whoever follows its caller. Not in the caller's log, and so without a number there: the sub-agent's own
 * conversation has it. Who comes late to a running turn is told it again, without the deltas.
 */
export interface AgentEvent {
  type: 'agent.event'
  /** The caller's call that the sub-agent works for. */
  callId: string
  /** The name of the sub-agent. */
  agent: string
  agentConversationId: string
  /** The event as the sub-agent's conversation tells it, with its number and turn there; one of an agent below is nested in it again. */
  event: Event
}

/** An event of a user's own: any other dotted name. */
export interface CustomEvent {
  /** A dotted name: `search.done`. */
  type: `${string}.${string}`
  [detail: string]: unknown
}

/** The fields that every event has. */
export interface Stamp {
  conversationId: string
  /** Contiguous per conversation, from 1. Absent on news of the moment, which is not in the log: deltas above all. */
  seq?: number
  /** When it was told, in milliseconds since 1970. */
  at: number
  /** The turn that it belongs to, if any. */
  turnId?: string
}

/**
 * Events of a user's own, so that they can be read with their fields, and `ctx.emit` takes no others of their family (`search.`):
 * `declare module 'turnbuckle' { interface OwnEvents { 'search.done': { hits: number } } }`. With a member `'*': never` these are all
 * there are: `ctx.emit` of any other name is a type error.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface OwnEvents {}

type DeclaredEvents = ReadyMadeEvents & Omit<OwnEvents, '*'>
/** An event of ready-made middleware, or one that `OwnEvents` declares. */
export type DeclaredEvent = {
  [Type in keyof DeclaredEvents]: { type: Type } & DeclaredEvents[Type]
}[keyof DeclaredEvents]

/** An event as a reader of a turn gets it. */
export type Event = (EventBody | DeclaredEvent) & Stamp
/** The names of the events that are known here. */
export type EventType = Event['type']

type FamilyOf<Type> = Type extends `${infer Family}.${string}` ? Family : never
/** True for the name of an event that a user's declarations leave out: of a declared family, or any where `'*'` says that they are all. */
type IsLeftOut<Type, Own> = '*' extends keyof Own ? true : FamilyOf<Type> extends FamilyOf<keyof Own> ? true : false
type AnyFields = { readonly [detail: string]: unknown }

/** The fields of an event of this name, as `ctx.emit` takes them: those that are declared, or any. */
export type EventFields<Type extends string, Own = OwnEvents> =
  string extends FamilyOf<Type>
    ? AnyFields
    : Type extends keyof Own
      ? Own[Type]
      : Type extends keyof ReadyMadeEvents
        ? ReadyMadeEvents[Type]
        : Type extends EventBody['type']
          ? AnyFields
          : IsLeftOut<Type, Own> extends true
            ? AnyFields & { readonly 'this event is not declared in OwnEvents': never }
            : AnyFields

/** An event as `emit` takes it, before it is stamped: its fields are checked where its name is declared. */
export type EmittedEvent<Type extends string> = { readonly type: Type } & EventFields<Type>
export type Emit = <const Type extends CustomEvent['type']>(event: EmittedEvent<Type>) => void

const own = /^(turn|message|tool|request|interjection|history|head)\./

/** Refuses the event types of the loop: hooks and tools may not tell what happens to turns, messages and calls. */
export function checkTold({ type }: { readonly type: string }): void {
  demand(
    type === 'tool.progress' || !(own.test(type) || type === 'agent.event'),
    'event.reserved',
    `Only the loop tells "${type}". Use a dotted name of your own: "search.done".`,
  )
}

/** A parked turn has not ended; but nothing more comes of it here. */
const ends: ReadonlySet<string> = new Set([
  'turn.completed',
  'turn.stopped',
  'turn.failed',
  'turn.interrupted',
  'turn.parked',
])
export const endsTurn = (event: { readonly type: string }): boolean => ends.has(event.type)
