/** The time that a server has for an answer. It stands still while a person is asked, and begins anew with each sign of progress. */
export class Patience {
  readonly #ms: number
  readonly #late = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #pauses = 0

  constructor(ms: number) {
    this.#ms = ms
    this.restart()
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  restart(): void {
    this.end()
    if (!this.#pauses) this.#timer = setTimeout(() => this.#late.abort('timeout'), this.#ms)
  }

  /** Waits for a person without counting the time. */
  async during<Answer>(waiting: Promise<Answer>): Promise<Answer> {
    this.#pauses++
    this.end()
    try {
      return await waiting
    } finally {
      this.#pauses--
      if (!this.#late.signal.aborted) this.restart()
    }
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
