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
  /** Changes nothing outside of its conversation. */
  readonly readOnly: boolean
  readonly timeout: number | undefined
  readonly maxResult: number
}
