/** Work that a reader waits for. It sees to its own failures. */
type Work = () => Promise<void>

/** Milliseconds that a piece counts as being at work: one that hangs, as in a store that is away, does not hold up the others. */
const longestMs = 5000

/**
 * A line in front of work that many readers want at once, as when a network comes back: a few pieces are at work at a time, the readers
 * take turns, and between two pieces the process sees to everything else. Who comes to an empty line is served at once.
 */
export class FairLine {
  readonly #most: number
  /** The pieces at work that count, each with its reader. */
  readonly #atWork = new Map<object, object>()
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
  /** Drops what a reader waits for that has left. What is at work for it goes on beside the others. */
  leave(reader: object): void {
    this.#waiting.delete(reader)
    for (const [piece, its] of this.#atWork) if (its === reader) this.#atWork.delete(piece)
    this.#goOn()
  }

  #goOn(): void {
    while (this.#atWork.size < this.#most) {
      const next = this.#next()
      if (!next) return
      this.#begin(next.reader, next.work)
    }
  }
  #begin(reader: object, work: Work): void {
    const piece = {}
    this.#atWork.set(piece, reader)
    const free = () => {
      if (this.#atWork.delete(piece)) this.#goOn()
    }
    const timer = setTimeout(free, longestMs).unref()
    const done = () => {
      clearTimeout(timer)
      setImmediate(free)
    }
    void work().then(done, done)
  }
  /** The next piece of the reader whose turn it is, who goes to the end. */
  #next(): { readonly reader: object; readonly work: Work } | undefined {
    for (const [reader, own] of this.#waiting) {
      const work = own.shift()
      this.#waiting.delete(reader)
      if (own.length) this.#waiting.set(reader, own)
      if (work) return { reader, work }
    }
    return undefined
  }
}
