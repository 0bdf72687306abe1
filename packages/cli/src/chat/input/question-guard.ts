import { typingMs } from './held-letter.ts'

/** Milliseconds after a question's appearing in which keys are not for it: they were meant for something else. */
const deafMs = 400
/** Keeps keys away from a question that has only just appeared. */
export class QuestionGuard {
  readonly #now: () => number
  #asked: string | undefined
  #deafUntil = Number.NEGATIVE_INFINITY

  constructor(now: () => number) {
    this.#now = now
  }

  /** To be called with the question that is shown, whenever the chat changes. */
  notice(id: string | undefined): void {
    if (id !== this.#asked && id !== undefined) this.begin()
    this.#asked = id
  }
  /** The screen has only now come back: what is on it counts as new. */
  begin(): void {
    this.#deafUntil = this.#now() + deafMs
  }

  /** True where a key is to be ignored. One that is typed on and on keeps the question deaf until the typing pauses. */
  ignores(isLetter: boolean): boolean {
    const now = this.#now()
    if (now >= this.#deafUntil) return false
    if (isLetter) this.#deafUntil = Math.max(this.#deafUntil, now + typingMs)
    return true
  }
}
