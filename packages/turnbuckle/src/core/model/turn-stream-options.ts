import type { AttemptCancel } from '../async/attempt-cancel.ts'
import type { Clock, StreamOptions } from '../base/ports.ts'
import type { TurnState } from '../types/turn-state.ts'

/** Makes a signal only for a model that looks at it. As with prompts, the accessor is the object's own and shared by all. */
export class TurnStreamOptions implements StreamOptions {
  declare readonly signal: AbortSignal
  readonly #turn: TurnState
  readonly #cancel: AttemptCancel | undefined
  readonly onRequest: StreamOptions['onRequest']

  constructor(turn: TurnState, cancel?: AttemptCancel, onRequest?: StreamOptions['onRequest']) {
    this.#turn = turn
    this.onRequest = onRequest
    this.#cancel = cancel
    Object.defineProperty(this, 'signal', TurnStreamOptions.#accessor)
  }
  get clock(): Clock {
    return this.#turn.agent.clock
  }
  get readFile(): StreamOptions['readFile'] {
    const { journal } = this.#turn
    return journal && (async id => journal.file(id))
  }

  static readonly #accessor: PropertyDescriptor & ThisType<TurnStreamOptions> = {
    enumerable: true,
    get() {
      const { signal } = this.#turn.time
      return this.#cancel?.signalWith(signal) ?? signal
    },
  }
}
