import type { Call, Message } from '../base/message.ts'
import type { Emit } from '../events/events.ts'
import type { Node } from '../history/tree.ts'
import type { Conversation } from './conversation.ts'

/** A person or program that a turn was sent for. */
export interface Client {
  /** Names it for good, as the server knows it. */
  readonly id: string
  /** What people call it. */
  readonly name: string
}

/** The arguments' companion: what a tool can reach besides them. */
export interface ToolContext {
  /** The call that the tool runs for. */
  readonly call: Call
  /** The index of the step, from 0. */
  readonly step: number
  /** The messages up to here. */
  readonly messages: readonly Message[]
  /** The messages up to here, as `messages`. */
  readonly path: readonly Message[]
  /** Who asked, where a server knows: a sub-agent's tools are told of its caller's. */
  readonly client?: Client | undefined
  /** The whole conversation. */
  readonly tree: readonly Node[]
  /** Aborted on an interrupt, and when the tool's time is up. */
  readonly signal: AbortSignal
  /** The conversation that the call is part of. */
  readonly conversation: Conversation
  /** Constant when a call is run again after a crash: pass it to a service that must not act twice. */
  readonly idempotencyKey: string
  /** Tells an event of your own, or the call's progress: `emit({ type: 'tool.progress', done: 3 })`. */
  readonly emit: Emit
  /** Queues a message for the model, in the tool's name: people are shown it too. Applied after this batch's results. */
  readonly interject: (text: string) => void
}
