import { interrupted } from '../base/errors.ts'

type Reject = (error: unknown) => void

/** Waits for foreign code (models, tools, hooks) that an interrupt ends at once, whether that code listens or not. */
export class InterruptibleWaits {
  /** A list, because there are few waits at a time, and the last one added is mostly the first to end. */
  readonly #rejects: Reject[] = []
  #frozen = false

  add(reject: Reject): void {
    if (!this.#frozen) this.#rejects.push(reject)
  }
  /** Calls `reject` at the end, until the function it returns is called. */
  on(reject: Reject): () => void {
    this.add(reject)
    return () => this.drop(reject)
  }
  drop(reject: Reject): void {
    const place = this.#rejects.lastIndexOf(reject)
    if (place < 0) return
    const last = this.#rejects.pop() as Reject
    if (last !== reject) this.#rejects[place] = last
  }
  /** Leaves every wait pending for good, also those that begin later: the turn is parked. */
  freeze(): void {
    this.#frozen = true
    this.#rejects.length = 0
  }
  /** Ends every wait, now. */
  end(): void {
    if (!this.#rejects.length) return
    const error = interrupted()
    for (const reject of this.#rejects.splice(0)) reject(error)
  }

  /** Like Promise.race, but leaves nothing behind on the long-lived side. */
  race<Value>(promise: PromiseLike<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.add(reject)
      promise.then(
        value => {
          this.drop(reject)
          if (!this.#frozen) resolve(value)
        },
        error => {
          this.drop(reject)
          if (!this.#frozen) reject(error)
        },
      )
    })
  }
}
