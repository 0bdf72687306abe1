import type { Call, Message, ToolResult } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { Usage } from '../base/ports.ts'
import type { Draft } from '../hooks/hook-types.ts'
import type { Run } from './turn-state.ts'

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
