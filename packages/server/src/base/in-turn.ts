/** Runs pieces of work one after the other: a read that began before a write does not undo it. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** True where no work runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0
  }
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting++
    const done = this.#last.then(work, work).finally(() => this.#waiting--)
    this.#last = done.catch(() => {})
    return done
  }
}
