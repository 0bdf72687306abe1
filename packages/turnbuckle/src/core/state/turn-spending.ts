import type { Usage } from '../base/ports.ts'
import { noUsage, plus, uncounted } from '../base/usage-sums.ts'

/** A turn's usage and count of model stages. Both only grow, also across a rewind. */
export class TurnSpending {
  #usage: Usage = noUsage
  /** Calls that did not say what they used, since `usage` was read last: they come with every step, and the sum is asked for seldom. */
  #unknownCalls = 0
  #modelStages = 0
  #beforeStep = 0
  #unbilled = 0
  #ownCalls = 0
  #elsewhere: (() => Usage) | undefined

  get usage(): Usage {
    if (this.#unknownCalls) this.#usage = plus(this.#usage, uncounted(this.#unknownCalls))
    this.#unknownCalls = 0
    return this.#usage
  }
  setUsage(usage: Usage): void {
    this.#usage = usage
  }
  /** A model call has ended without a word on its usage. */
  countUnknownCall(): void {
    this.#unknownCalls++
  }
  /** The usage of turns that work for this one on other branches; undefined where there are none. */
  get elsewhere(): Usage | undefined {
    return this.#elsewhere?.()
  }
  countElsewhere(used: () => Usage): void {
    this.#elsewhere = used
  }
  /** Model stages opened: the number that `turn.steps` tells and `maxSteps` limits. A step that jumps back has several. */
  get modelStages(): number {
    return this.#modelStages
  }
  countModelStage(): void {
    this.#modelStages++
  }
  /** A step begins: its model stages are counted from here. */
  beginStep(): void {
    this.#beforeStep = this.#modelStages
  }
  get stepHasModelStage(): boolean {
    return this.#modelStages > this.#beforeStep
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
