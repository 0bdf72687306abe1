import { ActiveClock } from '../async/active-clock.ts'
import { CleanUpDeadline } from '../async/clean-up-deadline.ts'
import { InterruptibleWaits } from '../async/interruptible-waits.ts'
import { interrupted } from '../base/errors.ts'
import type { Clock } from '../base/ports.ts'
import { SilentHooks } from '../hooks/silent-hooks.ts'

/** The turn's time, and all that waits in the turn: an interrupt ends every wait, parking leaves each pending for good. */
export class TurnTime {
  /** Waits for foreign code: tools, models and hooks that may not listen to the signal. */
  readonly waits: InterruptibleWaits = new InterruptibleWaits()
  /** Active time: it stands still while a person is asked. */
  readonly clock: ActiveClock
  readonly #agentClock: Clock
  #at: number
  #cleanup: CleanUpDeadline | undefined
  #silentHooks: SilentHooks | undefined
  #controller: AbortController | undefined
  #interrupted = false

  constructor(agentClock: Clock) {
    this.#agentClock = agentClock
    this.#at = agentClock.now()
    this.clock = new ActiveClock(agentClock, this.#at, this.waits)
  }

  /** The time, as of the last reading. */
  get at(): number {
    return this.#at
  }
  /** Reads the agent's clock. All events until the next reading have happened at once. */
  tick(): number {
    this.#at = this.#agentClock.now()
    return this.#at
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }
  /** Aborts the signal; hooks that run afterwards get a fresh one. */
  abort(reason: unknown): void {
    this.#controller?.abort(reason)
    this.#controller = undefined
  }

  /** The hooks that are waited for. */
  get silentHooks(): SilentHooks {
    this.#silentHooks ??= new SilentHooks(this.clock)
    return this.#silentHooks
  }
  /** The deadline of hooks that clean up after an interrupt. */
  get cleanup(): CleanUpDeadline {
    this.#cleanup ??= new CleanUpDeadline()
    return this.#cleanup
  }
  /** Waits for a model or a tool, at most until an interrupt: also one that came from inside, while it was being called. */
  untilInterrupted<Value>(promise: PromiseLike<Value>): Promise<Value> {
    if (!this.#interrupted) return this.waits.race(promise)
    promise.then(undefined, () => {})
    return Promise.reject(interrupted())
  }
  /** Ends every wait. From now on hooks have `ms` milliseconds to clean up. */
  endWaits(ms: number): void {
    this.#interrupted = true
    this.waits.end()
    this.cleanup.start(this.#agentClock, ms)
  }
  /** Leaves every wait of the turn pending: the turn is parked. */
  freeze(): void {
    this.waits.freeze()
    this.#cleanup?.freeze()
  }
  /** Ends the waits that are left, of observers and of hooks that outlived their deadline, and drops all timers. */
  release(): void {
    this.#cleanup?.off()
    this.waits.end()
    this.clock.close()
  }
}
