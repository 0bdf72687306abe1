import type { Clock } from '../base/ports.ts'
import { Waits } from './interruptible-waits.ts'

/** What still unwinds after an interrupt has so long, and no longer. */
export class Deadline {
  readonly #waits = new Waits()
  #over = false
  #off: (() => void) | undefined

  start(clock: Clock, ms: number): void {
    this.#off = clock.after(ms, () => {
      this.#over = true
      this.#waits.end()
    })
  }
  /** Waits, but no longer than until then. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value> {
    const waiting = this.#waits.race(promise)
    if (this.#over) this.#waits.end()
    return waiting
  }
  freeze(): void {
    this.#waits.freeze()
  }
  /** Nothing unwinds any more. */
  off(): void {
    this.#off?.()
  }
}
