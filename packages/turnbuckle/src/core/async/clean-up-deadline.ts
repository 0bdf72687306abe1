import type { Clock } from '../base/ports.ts'
import { InterruptibleWaits } from './interruptible-waits.ts'

/** The time that hooks have to clean up after an interrupt: when it is over, every wait of theirs is ended. */
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
  /** Waits for a promise, at most until the deadline. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value> {
    const waiting = this.#waits.race(promise)
    if (this.#over) this.#waits.end()
    return waiting
  }
  freeze(): void {
    this.#waits.freeze()
  }
  /** Calls the deadline off: no hook of the turn runs any more. */
  off(): void {
    this.#off?.()
  }
}
