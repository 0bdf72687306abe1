import type { Cut } from '../async/attempt-cancel.ts'
import type { Clock, StreamOptions } from '../base/ports.ts'
import type { Run } from '../turn/turn-state.ts'

/** Makes a signal only for a model that looks at it. As with prompts, the accessor is the object's own and shared by all. */
export class RunOptions implements StreamOptions {
  declare readonly signal: AbortSignal
  readonly #run: Run
  readonly #cut: Cut | undefined

  constructor(run: Run, cut?: Cut) {
    this.#run = run
    this.#cut = cut
    Object.defineProperty(this, 'signal', RunOptions.#accessor)
  }
  get clock(): Clock {
    return this.#run.core.clock
  }

  static readonly #accessor: PropertyDescriptor & ThisType<RunOptions> = {
    enumerable: true,
    get() {
      const { signal } = this.#run
      return this.#cut?.signalWith(signal) ?? signal
    },
  }
}
