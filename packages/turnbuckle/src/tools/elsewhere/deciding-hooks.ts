/** A call of a before hook: what it changes before it first waits is one decision. */
export interface Attempt {
  /** False once a hook has asked a person: it is not called again. */
  mayRepeat: boolean
  isRefused: boolean
}

/** The before hooks that decide on a state of a turn elsewhere, and that run now. */
export class DecidingHooks {
  readonly #running = new Set<Attempt>()
  #current: Attempt | undefined

  /** The attempt whose hook runs at this very moment, before it first waits. */
  get current(): Attempt | undefined {
    return this.#current
  }
  /** A hook has asked a person. Whichever it is, hooks that run now are not called again. */
  noteAsked(): void {
    for (const attempt of this.#running) attempt.mayRepeat = false
  }

  async call(attempt: Attempt, hook: () => unknown): Promise<unknown> {
    this.#running.add(attempt)
    this.#current = attempt
    try {
      const returned = hook()
      this.#current = undefined
      return await returned
    } catch (error) {
      attempt.mayRepeat = false
      throw error
    } finally {
      this.#current = undefined
      this.#running.delete(attempt)
    }
  }
}
