import { interrupted } from '../base/errors.ts'
import type { Clock } from '../base/ports.ts'
import type { InterruptibleWaits } from './interruptible-waits.ts'

/** The turn's clock. It stands still while a person is asked, but for `now`. */
export interface TurnClock {
  now(): number
  /** Active milliseconds since the turn began. */
  elapsed(): number
  after(ms: number, turn: () => void): () => void
  /** Rejects when the turn is interrupted. */
  sleep(ms: number): Promise<void>
}

interface Timer {
  /** The reading of the clock at which it is due, if it does not stand still until then. */
  due: number
  readonly run: () => void
}

/** The most that `setTimeout` can wait. */
const longest = 2 ** 31 - 1

/**
 * A clock that can stand still: limits count active time, not the time a person takes to answer. What waits on it shares
 * one timer of the clock below, because nearly all is called off before it is due, and making a timer costs more than a step.
 */
export class ActiveClock implements TurnClock {
  readonly #clock: Clock
  #timers: Set<Timer> | undefined
  /** The reading at which the clock below calls, and what calls that off. */
  #wakesAt = Infinity
  #cancel: (() => void) | undefined
  readonly #start: number
  #stood = 0
  #stoppedAt = 0
  /** The reading at which the clock stopped, for timers: from `precise`, which no change of the system time moves. */
  #stopped = 0
  #pauses = 0
  #closed = false
  readonly #waits: InterruptibleWaits

  constructor(clock: Clock, start: number, waits: InterruptibleWaits) {
    this.#clock = clock
    this.#start = start
    this.#waits = waits
  }

  now(): number {
    return this.#clock.now()
  }

  /** Milliseconds that the clock has stood still so far. */
  get stood(): number {
    return this.#stood + (this.#pauses ? this.#clock.now() - this.#stoppedAt : 0)
  }
  elapsed(): number {
    const until = this.#pauses ? this.#stoppedAt : this.#clock.now()
    return until - this.#start - this.#stood
  }

  after(ms: number, run: () => void): () => void {
    if (this.#closed) return () => {}
    const from = this.#pauses ? this.#stopped : this.#read()
    const timer: Timer = { due: from + ms, run }
    this.#timers ??= new Set()
    this.#timers.add(timer)
    if (!this.#pauses && timer.due < this.#wakesAt) this.#wakeAfter(ms, from)
    return () => this.#timers?.delete(timer)
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
    this.#callOff()
    this.#timers = undefined
  }

  /** Stands still until the function it returns is called. */
  pause(): () => void {
    if (this.#pauses++ === 0) {
      this.#stoppedAt = this.#clock.now()
      this.#stopped = this.#read()
      this.#callOff()
    }
    let done = false
    return () => {
      if (done) return
      done = true
      if (--this.#pauses) return
      this.#stood += this.#clock.now() - this.#stoppedAt
      const now = this.#read()
      for (const timer of this.#timers ?? []) timer.due += now - this.#stopped
      this.#wakeForNext(now)
    }
  }

  #read(): number {
    return this.#clock.precise?.() ?? this.#clock.now()
  }

  #callOff(): void {
    this.#cancel?.()
    this.#wakesAt = Infinity
  }
  #wakeAfter(ms: number, now: number): void {
    this.#cancel?.()
    const left = Math.min(Math.max(0, ms), longest)
    this.#wakesAt = now + left
    this.#cancel = this.#clock.after(left, () => this.#wake())
  }
  #wakeForNext(now: number): void {
    const next = this.#next()
    if (next && next.due < Infinity) this.#wakeAfter(next.due - now, now)
  }
  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers ?? []) if (!next || timer.due < next.due) next = timer
    return next
  }

  /** Runs one timer that is due; others wait for the next call, since the first may call them off. */
  #wake(): void {
    const now = this.#wakesAt
    this.#wakesAt = Infinity
    const next = this.#next()
    const due = next && next.due <= now ? next : undefined
    if (due) this.#timers?.delete(due)
    this.#wakeForNext(now)
    due?.run()
  }
}
