/** Milliseconds after which a call that was told of is not waited for any more: the provider's program runs it later, or not at all. */
const patienceMs = 250

/**
 * Calls of one reply, which a provider's program tells of and then asks for one by one: each is held until the last has come, so that
 * they are one batch.
 */
export class CallsTogether {
  readonly #told = new Set<string>()
  #held: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  /** The reply has these calls. */
  tell(ids: Iterable<string>): void {
    for (const id of ids) this.#told.add(id)
  }
  /** The program asks for a call. Resolves when the others of its reply have come too. */
  came(id: string): Promise<void> {
    this.#told.delete(id)
    clearTimeout(this.#timer)
    return new Promise(resolve => {
      this.#held.push(resolve)
      if (!this.#told.size) this.#release()
      else this.#timer = setTimeout(() => this.#release(), patienceMs)
    })
  }
  #release(): void {
    this.#told.clear()
    for (const go of this.#held.splice(0)) go()
  }
}
