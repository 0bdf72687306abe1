/** Texts for the model that go with the person's next message. */
export class LaterTexts {
  /** The texts of a message that is being said again. */
  #again: readonly string[] = []
  #told: readonly string[] = []

  get all(): readonly string[] {
    return [...this.#again, ...this.#told.filter(text => !this.#again.includes(text))]
  }

  tell(text: string): void {
    if (!this.#told.includes(text)) this.#told = [...this.#told, text]
  }
  /** Another message is said again, or none: the texts of the one before it stay with that one. */
  tellAgain(texts: readonly string[]): void {
    this.#again = texts
  }
  /** A message was taken back: its texts wait again. */
  giveBack(texts: readonly string[]): void {
    this.#told = [...texts, ...this.#told]
  }
  clear(): void {
    this.#again = []
    this.#told = []
  }
}
