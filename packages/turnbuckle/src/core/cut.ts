/**
 * Ends one attempt at a stage from outside: a wrap's own limit, or that of a wrap around it. Lighter than an
 * AbortSignal, which costs more than a whole step; one is made only for whoever asks for it.
 */
export class Cut {
  ended = false
  reason: unknown
  #listeners: Set<(reason: unknown) => void> | undefined
  #signal: AbortSignal | undefined

  end(reason: unknown): void {
    if (this.ended) return
    this.ended = true
    this.reason = reason
    for (const listener of this.#listeners ?? []) listener(reason)
    this.#listeners = undefined
  }

  /** Calls `listener` at the end, until the function it returns is called. */
  on(listener: (reason: unknown) => void): () => void {
    if (this.ended) listener(this.reason)
    else {
      this.#listeners ??= new Set()
      this.#listeners.add(listener)
    }
    return () => this.#listeners?.delete(listener)
  }

  /** Rejects with the reason as soon as it is ended, and leaves nothing behind. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const off = this.on(reject)
      promise.then(
        value => {
          off()
          resolve(value)
        },
        error => {
          off()
          reject(error)
        },
      )
    })
  }

  /** For foreign code: aborted at the end, and with the turn. */
  signalWith(turn: AbortSignal): AbortSignal {
    if (this.#signal) return this.#signal
    const controller = new AbortController()
    this.on(reason => controller.abort(reason))
    this.#signal = AbortSignal.any([controller.signal, turn])
    return this.#signal
  }
}

export interface Limit {
  readonly signal?: AbortSignal | undefined
  readonly until?: ((end: (reason: unknown) => void) => () => void) | undefined
}

/** A cut by what a wrap gave to `next`, and by the one around it. `off` lets go of both. */
export function cutBy(limit: Limit, outer: Cut | undefined): { readonly cut: Cut; readonly off: () => void } {
  const cut = new Cut()
  const end = (reason: unknown) => cut.end(reason)
  const offOuter = outer?.on(end)
  const { signal } = limit
  const abort = () => end(signal?.reason)
  if (signal?.aborted) abort()
  else signal?.addEventListener('abort', abort)
  const offLimit = limit.until?.(end)
  return {
    cut,
    off() {
      offOuter?.()
      offLimit?.()
      signal?.removeEventListener('abort', abort)
    },
  }
}
