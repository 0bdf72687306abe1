import type { Call, Message } from '../base/message.ts'
import type { NewEvent } from '../events/events.ts'
import type { Node } from '../history/tree.ts'
import type { Conversation } from './conversation.ts'

/** The arguments' companion: what a tool can reach besides them. */
export interface ToolContext {
  readonly call: Call
  /** From 0. */
  readonly step: number
  /** The messages up to here. */
  readonly path: readonly Message[]
  /** The whole conversation. */
  readonly tree: readonly Node[]
  /** Aborted on an interrupt, and when the tool's time is up. */
  readonly signal: AbortSignal
  readonly conversation: Conversation
  /** Constant when a call is run again after a crash: pass it to a service that must not act twice. */
  readonly idempotencyKey: string
  readonly emit: (event: NewEvent) => void
  /** Queues a message, as a person could; applied after this batch's results. */
  readonly interject: (text: string) => void
}
