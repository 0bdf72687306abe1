import type { Clock } from '../base/ports.ts'
import { InterruptibleWaits } from './interruptible-waits.ts'

/** What still unwinds after an interrupt has so long, and no longer. */
export class CleanUpDeadline {
  readonly #waits = new InterruptibleWaits()
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
