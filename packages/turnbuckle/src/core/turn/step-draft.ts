import type { Call, Message, ToolResult } from '../base/message.ts'
import { none } from '../base/none.ts'
import type { Usage } from '../base/ports.ts'
import type { Draft } from '../hooks/hook-types.ts'
import type { TurnState } from './turn-state.ts'

/** The data in flight of one step. */
export class StepDraft implements Draft {
  userMessage: Message | undefined
  reply: Message | undefined
  calls: readonly Call[] = none
  results: readonly ToolResult[] = none
  finishReason: string | undefined
  usage: Usage | undefined
  readonly startedAt: number
  readonly #turn: TurnState
  #errors: unknown[] | undefined

  constructor(turn: TurnState) {
    this.#turn = turn
    this.userMessage = turn.draft?.userMessage
    this.startedAt = turn.at
  }
  get text(): string {
    return this.#turn.attempt?.text ?? ''
  }
  get errors(): unknown[] {
    this.#errors ??= []
    return this.#errors
  }
}
