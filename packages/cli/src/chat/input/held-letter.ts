/** Milliseconds from one letter to the next while somebody types without looking. */
export const typingMs = 250

/** A letter at a question that may be an answer: it is one when no other follows at once. Otherwise both begin a text. */
export class HeldLetter {
  #letter = ''
  #act: (() => void) | undefined
  #pause: NodeJS.Timeout | undefined

  /** Holds a letter; `act` is called when the typing pauses. */
  hold(letter: string, act: () => void): void {
    this.#letter = letter
    this.#act = act
    this.#pause = setTimeout(() => this.act(), typingMs)
  }
  /** Takes the letter as the answer now. */
  act(): void {
    const act = this.#act
    this.take()
    act?.()
  }
  /** Takes the letter away before it was an answer; empty where none is held. */
  take(): string {
    const letter = this.#letter
    clearTimeout(this.#pause)
    this.#letter = ''
    this.#act = undefined
    return letter
  }
}
