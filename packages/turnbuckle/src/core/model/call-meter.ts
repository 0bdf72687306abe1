import type { Usage } from '../base/ports.ts'
import { minus, uncounted } from '../base/usage-sums.ts'
import type { TurnState } from '../types/turn-state.ts'
import { addUsage, beginCall, endCall, isCounted, readUsage } from './usage.ts'

/** The usage of one model call: counted for its turn as soon as the model tells it, or by an estimate after its end. */
export class CallMeter {
  readonly #turn: TurnState
  #usage: Usage | undefined
  #counted: boolean
  #billed = false

  /** `known`: of a reply that the log has, whose usage is in the turn's already. */
  constructor(turn: TurnState, known?: Usage) {
    this.#turn = turn
    this.#usage = known
    this.#counted = known !== undefined
  }

  get usage(): Usage | undefined {
    return this.#usage
  }
  /** True where the model has said what the call used, in numbers that can be counted. */
  get counted(): boolean {
    return this.#counted
  }

  /** Counts it as a model call of its own, not as part of a managed loop's. */
  bill(): void {
    this.#billed = true
    beginCall(this.#turn)
  }
  /** The call is over. `free`: the provider refused it, and charges nothing. */
  end(free = false): void {
    if (this.#billed) endCall(this.#turn, free)
    this.#billed = false
  }

  /** Usage counts as soon as it is reported, so that an interrupt does not lose it. A later report is about the whole call. */
  count(reported: Usage): void {
    const usage = readUsage(reported)
    this.#counted = usage !== undefined && isCounted(reported)
    if (!usage) return
    addUsage(this.#turn, this.#usage ? minus(usage, this.#usage) : usage)
    this.#usage = usage
    this.end(true)
  }

  /** Counts an ended call by an estimate; what the model has said of it counts as said. */
  estimate({ inputTokens, outputTokens }: Usage): Usage {
    const told = this.#usage
    const usage: Usage = {
      ...told,
      inputTokens: told?.inputTokens || inputTokens,
      outputTokens: told?.outputTokens || outputTokens,
      estimated: true,
    }
    // The call itself is counted already, as one that did not tell its cost.
    addUsage(this.#turn, minus(usage, told ?? uncounted(1)))
    this.#usage = usage
    this.#counted = true
    return usage
  }
}
