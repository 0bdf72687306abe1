import type { UIMessageChunk } from './ui-message-chunk.ts'

interface ToldChunk {
  readonly chunk: UIMessageChunk
  readonly owner: PartOwner
}

/** The reply and the call that a part belongs to, where it does. */
export interface PartOwner {
  readonly messageId?: string
  readonly callId?: string
}

/**
 * The chunks of the step that is being told. The AI SDK can take parts back only a whole step at a time (`reset-step`), so what stays
 * is told again.
 */
export class StepParts {
  readonly #emit: (chunk: UIMessageChunk) => void
  #told: ToldChunk[] = []
  #isOpen = false

  constructor(emit: (chunk: UIMessageChunk) => void) {
    this.#emit = emit
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#emit({ type: 'start-step' })
  }
  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#told = []
    this.#emit({ type: 'finish-step' })
  }
  tell(chunk: UIMessageChunk, owner: PartOwner = {}): void {
    if (this.#isOpen && !('transient' in chunk)) this.#told.push({ chunk, owner })
    this.#emit(chunk)
  }
  /** Takes back the parts that `isGone` names. */
  remove(isGone: (owner: PartOwner) => boolean): void {
    const left = this.#told.filter(({ owner }) => !isGone(owner))
    if (left.length === this.#told.length) return
    this.#told = left
    this.#emit({ type: 'reset-step' })
    for (const { chunk } of left) this.#emit(chunk)
  }
}
