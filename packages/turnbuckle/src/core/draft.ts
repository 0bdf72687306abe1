import type { Draft } from './hook-types.ts'
import type { Call, Message, ToolResult } from './message.ts'
import { none } from './none.ts'
import type { Usage } from './ports.ts'
import type { Run } from './run.ts'

/** The data in flight of one step. */
export class RunDraft implements Draft {
  userMessage: Message | undefined
  reply: Message | undefined
  calls: readonly Call[] = none
  results: readonly ToolResult[] = none
  finishReason: string | undefined
  usage: Usage | undefined
  readonly startedAt: number
  readonly #run: Run
  #errors: unknown[] | undefined

  constructor(run: Run) {
    this.#run = run
    this.userMessage = run.draft?.userMessage
    this.startedAt = run.at
  }
  get text(): string {
    return this.#run.attempt?.text ?? ''
  }
  get errors(): unknown[] {
    this.#errors ??= []
    return this.#errors
  }
}
