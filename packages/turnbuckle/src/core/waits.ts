import { interrupted } from './errors.ts'

type Reject = (error: unknown) => void

/** Who waits for foreign code, and can be told that nobody waits any more. */
export class Waits {
  #rejects: Set<Reject> | undefined
  #frozen = false

  add(reject: Reject): void {
    this.#rejects ??= new Set()
    this.#rejects.add(reject)
  }
  drop(reject: Reject): void {
    this.#rejects?.delete(reject)
  }
  /** From now on nothing that is awaited comes back. */
  freeze(): void {
    this.#frozen = true
    this.#rejects = undefined
  }
  /** Ends every wait, now. */
  end(): void {
    if (!this.#rejects?.size) return
    const error = interrupted()
    const rejects = this.#rejects
    this.#rejects = undefined
    for (const reject of rejects) reject(error)
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
