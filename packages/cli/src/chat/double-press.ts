/** Tells a key pressed twice within a while. Any other key in between starts anew. */
export class DoublePress {
  readonly #within: number
  readonly #now: () => number
  #last: number | undefined

  constructor(within: number, now: () => number = Date.now) {
    this.#within = within
    this.#now = now
  }

  /** True at the second press; the next one is a first again. */
  press(): boolean {
    const now = this.#now()
    const twice = this.#last !== undefined && now - this.#last <= this.#within
    this.#last = twice ? undefined : now
    return twice
  }
  reset(): void {
    this.#last = undefined
  }
}
