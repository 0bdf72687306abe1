import type { Maybe } from '../base/maybe.ts'
import type { ProviderTool, Schema } from '../base/ports.ts'
import type { ToolContext } from './tool-context.ts'

/** A tool, as the agent keeps it. */
export interface Tool {
  /** The name that the model calls it by. */
  readonly name: string
  /** The tool's purpose, for the model. */
  readonly description: string
  /** JSON Schema of the arguments, for the model. */
  readonly schema: object
  /** The provider's tool that this one runs; other models are told name, description and schema. */
  readonly provider?: ProviderTool | undefined
  /** The schema that arguments are checked with. */
  readonly input: Schema | undefined
  /** Runs a call. */
  readonly run: (args: never, ctx: ToolContext) => unknown
  /** Runs alone, not beside other calls of its batch. */
  readonly sequential: boolean
  /** Running it twice does what running it once does: it may be run again after a crash. */
  readonly idempotent: boolean
  /** Changes nothing outside of its conversation. */
  readonly readOnly: boolean
  /** A person is asked before a call runs: always, or where the function says so of the parsed arguments. */
  readonly needsApproval?: boolean | ((args: never) => Maybe<boolean>) | undefined
  /** Milliseconds of active time that a call may take. */
  readonly timeout: number | undefined
  /** The most JSON characters of a result. */
  readonly maxResult: number
}
