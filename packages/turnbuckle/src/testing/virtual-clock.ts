import type { Clock } from '../core/base/ports.ts'

/** A clock for tests, that moves only when told. */
export interface VirtualClock extends Clock {
  /** Moves time on, firing what is due in order, and lets what was woken go on in between. */
  advance(ms: number): Promise<void>
  /** The number of timers that wait: none should be left when a turn is over. */
  readonly timers: number
}

/** A clock that moves only when told. */
export function virtualClock(start = 0): VirtualClock {
  let now = start
  let order = 0
  const timers = new Set<{ readonly at: number; readonly order: number; readonly run: () => void }>()
  const settle = () => new Promise<void>(resolve => setImmediate(resolve))
  return {
    now: () => now,
    get timers() {
      return timers.size
    },
    after(ms, run) {
      const timer = { at: now + Math.max(0, ms), order: order++, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (;;) {
        const [due] = [...timers].filter(timer => timer.at <= end).sort((a, b) => a.at - b.at || a.order - b.order)
        if (!due) break
        timers.delete(due)
        now = due.at
        due.run()
        await settle()
      }
      now = end
      await settle()
    },
  }
}
