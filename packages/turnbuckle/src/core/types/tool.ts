import type { Maybe } from '../base/maybe.ts'
import type { Schema } from '../base/ports.ts'
import type { ToolContext } from './tool-context.ts'

/** A tool, as the agent keeps it. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, for the model. */
  readonly schema: object
  readonly input: Schema | undefined
  readonly run: (args: never, ctx: ToolContext) => unknown
  /** Runs alone, not beside other calls of its batch. */
  readonly sequential: boolean
  /** Running it twice does what running it once does: it may be run again after a crash. */
  readonly idempotent: boolean
  /** A person is asked before a call runs: always, or where the function says so of the parsed arguments. */
  readonly needsApproval?: boolean | ((args: never) => Maybe<boolean>) | undefined
  readonly timeout: number | undefined
  readonly maxResult: number
}
