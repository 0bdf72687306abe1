/** The parts of a cluster, which can be ended at any time: also while they are being started. */
export class Parts {
  #ends = []
  #starting = new Set()
  #isOver = false

  /** Starts a part. `end` is called with it, at the latest when it is up. */
  start(begin, end) {
    const started = this.#start(begin, end)
    this.#starting.add(started)
    return started
  }
  async #start(begin, end) {
    if (this.#isOver) throw new Error('The cluster was ended.')
    const part = await begin()
    this.#ends.push(() => end(part))
    return part
  }
  /** Ends all, the last first. */
  async end() {
    this.#isOver = true
    await Promise.allSettled(this.#starting)
    for (const end of this.#ends.splice(0).reverse()) await end()
  }
}
