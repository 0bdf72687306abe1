import type { Call, Message, ToolResult } from '../base/message.ts'
import type { ResponseFacts, Usage } from '../base/ports.ts'

/** The data in flight: the only transient carrier, cleared when the step ends. Only `finishReason` can be assigned. */
export interface Draft {
  /** The message that this turn answers. To change it, assign `ctx.message` in `beforeInput`. */
  readonly userMessage: Message | undefined
  /** The text that the current attempt has shown so far. */
  readonly text: string
  /** The reply of this step, once the model has made it. To change it, return `replace(reply)` in `afterModel`. */
  readonly reply: Message | undefined
  /** The calls in the reply. To change them, return `skip(calls)` in `beforeDetect`. */
  readonly calls: readonly Call[]
  /** The results of the calls, in call order. To change them, return `replace(result)` in `afterTool`. */
  readonly results: readonly ToolResult[]
  /** The errors of stages in this step so far. */
  readonly errors: readonly unknown[]
  /** Why the model ended, in the provider's word. A hook that gives a reply of its own may say so. */
  finishReason: string | undefined
  /** The tokens of the current attempt, once the model has reported them. */
  readonly usage: Usage | undefined
  /** The reply as its provider knows it, once the model has told that. Not after a restart. */
  readonly response: ResponseFacts | undefined
  /** When the step began, by the agent's clock. */
  readonly startedAt: number
}
