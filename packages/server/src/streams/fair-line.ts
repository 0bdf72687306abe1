/** Work that a reader waits for. It does not fail. */
type Work = () => Promise<void>

/**
 * A line in front of work that many readers want at once, as when a network comes back: a few pieces are at work at a time, the readers
 * take turns, and between two pieces the process sees to everything else. Who comes to an empty line is served at once.
 */
export class FairLine {
  readonly #most: number
  #atWork = 0
  /** What each reader waits for, the readers in the order of their turns. */
  readonly #waiting = new Map<object, Work[]>()

  constructor(most: number) {
    this.#most = most
  }

  add(reader: object, work: Work): void {
    const own = this.#waiting.get(reader)
    if (own) own.push(work)
    else this.#waiting.set(reader, [work])
    this.#goOn()
  }
  /** Drops what a reader waits for that has left. */
  leave(reader: object): void {
    this.#waiting.delete(reader)
  }

  #goOn(): void {
    while (this.#atWork < this.#most) {
      const work = this.#next()
      if (!work) return
      this.#atWork++
      void work().then(() => setImmediate(() => this.#done()))
    }
  }
  #done(): void {
    this.#atWork--
    this.#goOn()
  }
  /** The next piece of the reader whose turn it is, who goes to the end. */
  #next(): Work | undefined {
    for (const [reader, own] of this.#waiting) {
      const work = own.shift()
      this.#waiting.delete(reader)
      if (own.length) this.#waiting.set(reader, own)
      return work
    }
    return undefined
  }
}
