import type { Usage } from '../base/ports.ts'

/** A turn's usage and count of model stages. Both only grow, also across a rewind. */
export class TurnSpending {
  #usage: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 }
  #modelStages = 0
  #unbilled = 0
  #ownCalls = 0

  get usage(): Usage {
    return this.#usage
  }
  setUsage(usage: Usage): void {
    this.#usage = usage
  }
  /** Model stages opened: the number that `turn.steps` tells and `maxSteps` limits. A step that jumps back has several. */
  get modelStages(): number {
    return this.#modelStages
  }
  countModelStage(): void {
    this.#modelStages++
  }
  restoreModelStages(opened: number): void {
    this.#modelStages = Math.max(this.#modelStages, opened)
  }
  /** Model calls, of sub-agents too, that have not reported their usage: those under way, and one that a crash may have cut. */
  get unbilled(): number {
    return this.#unbilled
  }
  bill(calls: number): void {
    this.#unbilled += calls
  }
  /** Numbers the model calls of hooks: their ids count them. */
  nextOwnCall(): number {
    return this.#ownCalls++
  }
}
