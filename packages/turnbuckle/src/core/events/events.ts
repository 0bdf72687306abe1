import { demand } from '../base/errors.ts'
import type { Message, ResultStatus, Role } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'
import type { ReadyMadeEvents } from './ready-made-events.ts'
import type { AnswerTerms, Request } from './request.ts'

/** News for the outside. Grouped by lifecycle; the names are those of the wire. */
export type EventBody =
  // a turn
  | { type: 'turn.started'; parentId: string | undefined; tag?: unknown }
  | TurnEnded
  // a message: shown while it grows, then added; or withdrawn
  | { type: 'message.started'; messageId: string; parentId: string | undefined; role: Role }
  | MessageDelta
  | { type: 'message.text'; messageId: string; text: string; offset: number; reasoning?: true }
  | { type: 'message.added'; messageId: string; parentId: string | undefined; role: Role; message: Message }
  /** `text`: what had been shown of it before its process ended. */
  | { type: 'message.discarded'; messageId: string; reason: string; text?: string }
  | { type: 'message.replaced'; messageId: string; message: Message }
  // a call: shown while its arguments are being written, which no log keeps; then it is a part of its message
  | ({ type: 'tool.delta' | 'tool.text'; messageId: string } & CallText)
  | { type: 'tool.pending'; callId: string; name: string; args: unknown }
  | { type: 'tool.executing'; callId: string; name: string; args: unknown }
  | { type: 'tool.progress'; callId: string; name: string; [detail: string]: unknown }
  | ToolEnded
  | { type: 'tool.late'; callId: string }
  // a question to a person
  | ({ type: 'request.opened'; requestId: string } & Pick<Request, 'kind' | 'payload'> & AnswerTerms)
  /** `by`: the person who answered, where that is known. */
  | { type: 'request.answered'; requestId: string; kind: string; decision: unknown; by?: string }
  | { type: 'request.expired'; requestId: string; kind: string; reason: string }
  // what a person said meanwhile
  /** `withheld`: hooks look at messages before they are recorded, so its text is told when it is applied. */
  | { type: 'interjection.queued'; text: string; withheld?: true }
  | { type: 'interjection.applied'; text: string; messageId: string }
  // the tree
  | {
      type: 'history.edited'
      from: string | undefined
      to: string | undefined
      /** The parent of the first of the messages. */
      parentId: string | undefined
      messages: readonly Message[]
      by: string
    }
  | { type: 'head.moved'; from: string | undefined; to: string | undefined }
  | { type: 'title.changed'; from: string | undefined; to: string }
  // hooks
  | { type: 'hook.failed'; name: string; point: string; error: string }
  /** `only`: it was switched for this conversation alone. */
  | { type: 'middleware.changed'; name: string; enabled: boolean; only?: true }
  // cost
  | ({ type: 'usage'; messageId: string; total: Usage } & Usage)
  | CallUsage

/** Usage of a model call that became no message: an attempt that failed or was given up, or a hook's own call (`generate`). */
export interface CallUsage extends Usage {
  type: 'usage.call'
  messageId: string
  stage: 'model' | 'generate'
  step: number
  attempt: number
  /** The middleware whose own call it was. */
  by?: string
}

/** More of the replies' text, or the end of it that is taken back: text that was given and does not count. */
export type TextDelta = { readonly text: string } | { readonly withdrawn: string }

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

export interface TurnEnded {
  type: 'turn.completed' | 'turn.stopped' | 'turn.failed' | 'turn.interrupted'
  outcome: TurnStatus
  reason: string
  by: string
  text: string
  /** Why the model ended the last reply, in the provider's word. */
  finishReason?: string
  usage: Usage
  /** The part of `usage` that other turns of the conversation have told: of branches that were worked on beside this one. */
  elsewhere?: Usage
  error?: string
}

export interface ToolEnded {
  type: 'tool.completed' | 'tool.failed'
  callId: string
  name: string
  status: ResultStatus
  result: unknown
  durationMs: number
}

/** An event of a user's own: any other dotted name. */
export interface CustomEvent {
  type: `${string}.${string}`
  [detail: string]: unknown
}

export interface Stamp {
  conversationId: string
  /** Contiguous per conversation. Deltas have none: they are not in the log. */
  seq?: number
  at: number
  turnId?: string
}

/**
 * Events of a user's own, so that they can be read with their fields:
 * `declare module 'turnbuckle' { interface OwnEvents { 'search.done': { hits: number } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface OwnEvents {}

type DeclaredEvents = ReadyMadeEvents & OwnEvents
/** An event of ready-made middleware, or one that `OwnEvents` declares. */
export type DeclaredEvent = {
  [Type in keyof DeclaredEvents]: { type: Type } & DeclaredEvents[Type]
}[keyof DeclaredEvents]

export type Event = (EventBody | DeclaredEvent) & Stamp
export type EventType = Event['type']
/** An event as `ctx.emit` takes it, before it is stamped. */
export type NewEvent = EventBody | CustomEvent

const own = /^(turn|message|tool|request|interjection|history|head)\./

/** Refuses the event types of the loop: hooks and tools may not tell what happens to turns, messages and calls. */
export function checkTold({ type }: { readonly type: string }): void {
  demand(
    type === 'tool.progress' || !own.test(type),
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
