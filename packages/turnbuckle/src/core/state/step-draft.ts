import { none } from '../base/lists.ts'
import type { Call, Message, ToolResult } from '../base/message.ts'
import type { ResponseFacts, Usage } from '../base/ports.ts'
import type { Draft } from '../hooks/draft.ts'

/** The data in flight of one step. */
export class StepDraft implements Draft {
  userMessage: Message | undefined
  reply: Message | undefined
  calls: readonly Call[] = none
  results: readonly ToolResult[] = none
  finishReason: string | undefined
  usage: Usage | undefined
  response: ResponseFacts | undefined
  readonly startedAt: number
  #growing: { readonly text: string } | undefined
  #errors: unknown[] | undefined

  constructor(userMessage: Message | undefined, startedAt: number) {
    this.userMessage = userMessage
    this.reply = undefined
    this.finishReason = undefined
    this.usage = undefined
    this.response = undefined
    this.startedAt = startedAt
  }
  /** The attempt whose text `text` is. */
  growsWith(attempt: { readonly text: string } | undefined): void {
    this.#growing = attempt
  }
  get text(): string {
    return this.#growing?.text ?? ''
  }
  get errors(): unknown[] {
    this.#errors ??= []
    return this.#errors
  }
}
