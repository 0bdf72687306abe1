import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Usage } from '../base/ports.ts'

/** The data in flight: the only transient carrier, cleared when the step ends. */
export interface Draft {
  userMessage: Message | undefined
  /** The text that the current attempt has shown so far. */
  readonly text: string
  reply: Message | undefined
  calls: readonly Call[]
  results: readonly ToolResult[]
  errors: unknown[]
  /** Why the model ended, in the provider's word. */
  finishReason: string | undefined
  usage: Usage | undefined
  readonly startedAt: number
}
