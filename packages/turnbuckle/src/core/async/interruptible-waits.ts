import { interrupted } from '../base/errors.ts'

type Reject = (error: unknown) => void

/** Who waits for foreign code, and can be told that nobody waits any more. */
export class InterruptibleWaits {
  /** A list, because few wait at a time, and who came last mostly goes first. */
  readonly #rejects: Reject[] = []
  #frozen = false

  add(reject: Reject): void {
    this.#rejects.push(reject)
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
  /** From now on nothing that is awaited comes back. */
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
