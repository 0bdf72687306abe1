const nothing = () => {}

/** Lets one through at a time, in the order they came. */
export class OneAtATime {
  #last: Promise<unknown> | undefined

  pass<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    const mine = (this.#last ?? Promise.resolve()).then(work)
    this.#last = mine.then(nothing, nothing)
    return mine
  }
}
