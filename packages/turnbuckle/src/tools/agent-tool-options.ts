import type { NewMessage } from '../core/base/message.ts'
import type { Schema } from '../core/base/ports.ts'
import type { TurnResult } from '../core/types/turn.ts'

/** Names of tools, or patterns of them. */
export type Names = readonly (string | RegExp)[]

/** The most that the turn of a sub-agent may use. */
export interface Budget {
  /** Input and output together; what does not say what it used is estimated. */
  readonly tokens?: number
  /** In the currency of the model's prices. A cost that is not known stops the sub-agent too. */
  readonly cost?: number
  /** Active milliseconds. A model call or a tool that takes longer is cut off; a hook that hangs is left. */
  readonly ms?: number
}

/** The options of `agentTool`. */
export interface AgentToolOptions<Args> {
  /** The name of the tool. */
  readonly name: string
  /** The purpose of the sub-agent, for the model that calls it. */
  readonly description?: string
  /** `{ task: string }` unless said otherwise. */
  readonly input?: Schema<Args>
  /** JSON Schema of the arguments, where `input` cannot give one. */
  readonly schema?: object
  /** The message that the sub-agent is sent. By default the task, or else the arguments as JSON. */
  readonly prompt?: (args: Args) => string | NewMessage
  /** The only tools it may use; all of its own when absent. */
  readonly allow?: Names
  /** Tools that neither it nor an agent below it may use. */
  readonly deny?: Names
  /** The most steps of each turn of the sub-agent. */
  readonly maxSteps?: number
  /** The most that each turn of the sub-agent may use. */
  readonly budget?: Budget
  /** Milliseconds of active time. */
  readonly timeout?: number
  /** The value that the caller gets; the last reply's text by default. */
  readonly result?: (result: TurnResult) => unknown
}
