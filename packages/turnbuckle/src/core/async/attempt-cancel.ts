/**
 * Ends one attempt at a stage from outside: a wrap's own limit, or that of a wrap around it. Lighter than an
 * AbortSignal, which costs more than a whole step; one is made only for whoever asks for it.
 */
export class AttemptCancel {
  ended = false
  reason: unknown
  /** When the model's last chunk came, in active time of the turn. */
  heardAt: number | undefined
  /** When its first one came. */
  firstHeardAt: number | undefined
  /** The limit around this one, which hears the same chunks. */
  readonly #outer: AttemptCancel | undefined
  /** A list, because there are few listeners, and the last one added is mostly the first to go. */
  #listeners: ((reason: unknown) => void)[] | undefined
  #signal: AbortSignal | undefined

  constructor(outer?: AttemptCancel) {
    this.#outer = outer
  }

  /** A chunk has come. */
  hear(at: number): void {
    this.heardAt = at
    this.firstHeardAt ??= at
    this.#outer?.hear(at)
  }

  end(reason: unknown): void {
    if (this.ended) return
    this.ended = true
    this.reason = reason
    const listeners = this.#listeners
    this.#listeners = undefined
    for (const listener of listeners ?? []) listener(reason)
  }

  /** Calls `listener` at the end, until the function it returns is called. */
  on(listener: (reason: unknown) => void): () => void {
    this.add(listener)
    return () => this.drop(listener)
  }
  add(listener: (reason: unknown) => void): void {
    if (this.ended) listener(this.reason)
    else if (this.#listeners) this.#listeners.push(listener)
    else this.#listeners = [listener]
  }
  drop(listener: (reason: unknown) => void): void {
    const place = this.#listeners?.lastIndexOf(listener) ?? -1
    if (place >= 0) this.#listeners?.splice(place, 1)
  }

  /** Rejects with the reason as soon as it is ended, and leaves nothing behind. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.add(reject)
      promise.then(
        value => {
          this.drop(reject)
          resolve(value)
        },
        error => {
          this.drop(reject)
          reject(error)
        },
      )
    })
  }

  /** For foreign code: aborted at the end, and with the turn. */
  signalWith(turn: AbortSignal): AbortSignal {
    if (this.#signal) return this.#signal
    const controller = new AbortController()
    this.add(reason => controller.abort(reason))
    this.#signal = AbortSignal.any([controller.signal, turn])
    return this.#signal
  }
}

/** A time of a model's chunk, in active time of the turn; undefined before the first. */
type HeardAt = () => number | undefined

export interface Limit {
  readonly signal?: AbortSignal | undefined
  readonly until?: ((end: (reason: unknown) => void, heardAt: HeardAt, firstHeardAt: HeardAt) => () => void) | undefined
}

/** Cancelled by what a wrap gave to `next`, and by the one around it. `off` lets go of both. */
export function cancelBy(
  limit: Limit,
  outer: AttemptCancel | undefined,
): { readonly cancel: AttemptCancel; readonly off: () => void } {
  const cancel = new AttemptCancel(outer)
  const end = (reason: unknown) => cancel.end(reason)
  const offOuter = outer?.on(end)
  const { signal } = limit
  const abort = () => end(signal?.reason)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  const offLimit = limit.until?.(
    end,
    () => cancel.heardAt,
    () => cancel.firstHeardAt,
  )
  return {
    cancel,
    off() {
      offOuter?.()
      offLimit?.()
      signal?.removeEventListener('abort', abort)
    },
  }
}
