/** How much of a reply that grows may be lost with its process. */
const keptEveryMs = 50

interface Growing {
  readonly turnId: string
  readonly messageId: string
  text: string
  readonly reasoning: boolean
}

/** The text of a reply as it grows, gathered so that the log gets a note of it now and then, and not one per delta. */
export class Sketch {
  readonly #note: (growing: Growing) => void
  readonly #write: () => void
  #growing: Growing | undefined

  /** `note` takes what has come; `write` sees to it that notes get to the log. */
  constructor(note: (growing: Growing) => void, write: () => void) {
    this.#note = note
    this.#write = write
  }

  add(more: Growing): void {
    const { messageId, reasoning } = more
    if (this.#growing?.messageId === messageId && this.#growing.reasoning === reasoning) {
      this.#growing.text += more.text
      return
    }
    this.keep()
    this.#growing = more
    const timer = setTimeout(() => {
      this.keep()
      this.#write()
    }, keptEveryMs)
    ;(timer as { unref?: () => void }).unref?.()
  }

  /** Notes what has come so far. */
  keep(): void {
    const growing = this.#growing
    this.#growing = undefined
    if (growing) this.#note(growing)
  }

  /** The reply is recorded, or withdrawn: nobody needs its beginning. */
  drop(): void {
    this.#growing = undefined
  }
}
