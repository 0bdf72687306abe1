import { OneAtATime } from '../async/one-at-a-time.ts'

/** A running turn's exchange with people: interjections, first in, first out, and questions one at a time. */
export class TurnPeople {
  #queue: readonly string[] = []
  #closed = false
  #applied = 0
  #questions: OneAtATime | undefined

  /** Interjections that are not recorded yet. */
  get queue(): readonly string[] {
    return this.#queue
  }
  /** True once interjections are refused, since an accepted one must still be applied. */
  get closed(): boolean {
    return this.#closed
  }
  close(): void {
    this.#closed = true
  }
  reopen(): void {
    this.#closed = false
  }
  queueUp(...texts: readonly string[]): void {
    this.#queue = [...this.#queue, ...texts]
  }
  /** Interjections that an interrupt kept the turn before from hearing come first. */
  queueFirst(texts: readonly string[]): void {
    if (texts.length) this.#queue = [...texts, ...this.#queue]
  }
  /** The first interjection was recorded. */
  shift(): void {
    this.#queue = this.#queue.slice(1)
  }
  takeAll(): readonly string[] {
    const texts = this.#queue
    this.#queue = []
    return texts
  }
  /** Numbers the interjections that become messages: their ids count them. */
  nextApplied(): number {
    return this.#applied++
  }

  /** Questions to a person come one at a time, also when calls run side by side. */
  get questions(): OneAtATime {
    this.#questions ??= new OneAtATime()
    return this.#questions
  }
}
