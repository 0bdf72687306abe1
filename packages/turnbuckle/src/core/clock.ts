import { interrupted } from './errors.ts'
import type { TurnClock } from './hook-types.ts'
import type { Clock } from './ports.ts'
import type { Waits } from './waits.ts'

interface Timer {
  left: number
  since: number
  readonly fire: () => void
  cancel: (() => void) | undefined
}

/** A clock that can stand still: limits count active time, not the time a person takes to answer. */
export class ActiveClock implements TurnClock {
  readonly #clock: Clock
  #timers: Set<Timer> | undefined
  readonly #start: number
  #stood = 0
  #stoppedAt = 0
  #pauses = 0
  #closed = false
  readonly #waits: Waits

  constructor(clock: Clock, start: number, waits: Waits) {
    this.#clock = clock
    this.#start = start
    this.#waits = waits
  }

  now(): number {
    return this.#clock.now()
  }

  elapsed(): number {
    const until = this.#pauses ? this.#stoppedAt : this.#clock.now()
    return until - this.#start - this.#stood
  }

  after(ms: number, run: () => void): () => void {
    if (this.#closed) return () => {}
    const timer: Timer = {
      left: ms,
      since: 0,
      cancel: undefined,
      fire: () => {
        this.#timers?.delete(timer)
        run()
      },
    }
    this.#timers ??= new Set()
    this.#timers.add(timer)
    if (!this.#pauses) this.#arm(timer)
    return () => {
      this.#timers?.delete(timer)
      timer.cancel?.()
    }
  }

  sleep(ms: number): Promise<void> {
    if (this.#closed) return Promise.reject(interrupted())
    return new Promise((resolve, reject) => {
      const wake = this.after(ms, () => {
        off()
        resolve()
      })
      const off = this.#waits.on(() => {
        wake()
        reject(interrupted())
      })
    })
  }

  /** The turn is over, and so is what still waits on its clock. */
  close(): void {
    this.#closed = true
    for (const timer of this.#timers ?? []) timer.cancel?.()
    this.#timers = undefined
  }

  /** Stands still until the function it returns is called. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      this.#stoppedAt = this.#clock.now()
      for (const timer of this.#timers ?? []) {
        timer.cancel?.()
        timer.left -= this.#stoppedAt - timer.since
      }
    }
    let done = false
    return () => {
      if (done) return
      done = true
      if (--this.#pauses) return
      this.#stood += this.#clock.now() - this.#stoppedAt
      for (const timer of this.#timers ?? []) this.#arm(timer)
    }
  }

  #arm(timer: Timer): void {
    timer.since = this.#clock.now()
    timer.cancel = this.#clock.after(Math.max(0, timer.left), timer.fire)
  }
}
