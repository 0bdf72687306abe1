/** Runs pieces of work one after the other: a read that began before a write does not undo it. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work, work)
    this.#last = done.catch(() => {})
    return done
  }
}
