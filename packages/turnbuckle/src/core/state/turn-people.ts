import { OneAtATime } from '../async/one-at-a-time.ts'

/** A message that was queued while a turn ran. */
export interface Interjection {
  readonly text: string
  /** The tool or middleware that said it; absent for a person's. */
  readonly by?: string
}

/** A running turn's exchange with people: interjections, first in, first out, and questions one at a time. */
export class TurnPeople {
  #queue: readonly Interjection[] = []
  #closed = false
  #applied = 0
  #isRecording = false
  #questions: OneAtATime | undefined
  #asked = false

  /** Interjections that are not recorded yet. */
  get queue(): readonly Interjection[] {
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
  queueUp(...said: readonly Interjection[]): void {
    this.#queue = [...this.#queue, ...said]
  }
  /** Interjections that an interrupt kept the turn before from hearing come first. */
  queueFirst(said: readonly Interjection[]): void {
    if (said.length) this.#queue = [...said, ...this.#queue]
  }
  /** The first interjection, which is recorded now: it can no longer be taken back. */
  recordFirst(): Interjection | undefined {
    this.#isRecording = this.#queue.length > 0
    return this.#queue[0]
  }
  /** The first interjection was recorded. */
  shift(): void {
    this.#isRecording = false
    this.#queue = this.#queue.slice(1)
  }
  takeAll(): readonly Interjection[] {
    const said = this.#queue
    this.#isRecording = false
    this.#queue = []
    return said
  }
  /** Takes back the last interjection of a person that is not recorded yet. */
  takeLast(): Interjection | undefined {
    const at = this.#queue.findLastIndex(({ by }) => by === undefined)
    if (at < (this.#isRecording ? 1 : 0)) return undefined
    const said = this.#queue[at]
    this.#queue = this.#queue.toSpliced(at, 1)
    return said
  }
  /** Numbers the interjections that become messages: their ids count them. */
  nextApplied(): number {
    return this.#applied++
  }

  /** True once a question was asked, also in another process. */
  get asked(): boolean {
    return this.#asked
  }
  noteAsked(): void {
    this.#asked = true
  }

  /** Questions to a person come one at a time, also when calls run side by side. */
  get questions(): OneAtATime {
    this.#questions ??= new OneAtATime()
    return this.#questions
  }
}
