import type { Clock } from 'turnbuckle'

interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

const nextImmediate = setImmediate
const epoch = 1_800_000_000_000

/**
 * The time that one program lives in. Contract: one timer fires at a time, and all promises come to rest before the next
 * one, so that no order depends on how many microtasks a version of the library takes. The process's own timers and
 * `Date.now` follow this clock too: a journal flushes and a lease is renewed in virtual time.
 */
export class World {
  now = 0
  #order = 0
  #timers = new Set<Timer>()
  #soon: (() => void)[] = []

  readonly clock: Clock = { now: () => this.now, after: (ms, run) => this.after(ms, run) }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.now + Math.max(0, ms), order: this.#order++, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }
  sleep(ms: number): Promise<void> {
    return new Promise(resolve => this.after(ms, resolve))
  }

  /** Lets every promise and every timer of zero milliseconds come to rest. */
  async rest(): Promise<void> {
    for (;;) {
      await new Promise(resolve => nextImmediate(resolve))
      const run = this.#soon.shift()
      if (!run) return
      run()
    }
  }
  /** Fires the next timer that is due by `end`. False when there is none. */
  async step(end = Infinity): Promise<boolean> {
    let due: Timer | undefined
    for (const timer of this.#timers)
      if (timer.at <= end && (!due || timer.at < due.at || (timer.at === due.at && timer.order < due.order)))
        due = timer
    if (!due) return false
    this.#timers.delete(due)
    this.now = Math.max(this.now, due.at)
    due.run()
    await this.rest()
    return true
  }
  /** The process has died: none of its timers will fire. */
  forget(): void {
    this.#timers.clear()
    this.#soon = []
  }

  /** Puts this clock in the place of the process's timers. Returns how to put them back. */
  install(): () => void {
    const kept = { setTimeout, clearTimeout, setInterval, clearInterval, now: Date.now }
    const handle = (cancel: () => void) => ({ cancel, unref: () => {}, ref: () => {} })
    const later = (run: () => void, ms = 0) => {
      if (ms > 0) return handle(this.after(ms, run))
      let live = true
      this.#soon.push(() => live && run())
      return handle(() => {
        live = false
      })
    }
    const clear = (timer?: { cancel?: () => void }) => timer?.cancel?.()
    // An interval renews a lease, which in these programs never ends by itself.
    const never = () => handle(() => {})
    Object.assign(globalThis, { setTimeout: later, clearTimeout: clear, setInterval: never, clearInterval: clear })
    Date.now = () => epoch + this.now
    return () => {
      const { now, ...timers } = kept
      Object.assign(globalThis, timers)
      Date.now = now
    }
  }
}
