import { type Event, textOf } from 'turnbuckle'
import { cleanText } from './clean-text.ts'

/**
 * The text of replies as it is to be printed: delta by delta, or whole where a hook or a cache answers without deltas.
 */
export class ReplyText {
  readonly #shown = new Set<string>()

  /** True where a part of the message was printed as it came. */
  has(messageId: string): boolean {
    return this.#shown.has(messageId)
  }

  /** The text to write now, if any. */
  next(event: Event): string {
    if (event.type === 'message.delta' && !event.reasoning) {
      this.#shown.add(event.messageId)
      return cleanText(event.text)
    }
    if (event.type !== 'message.added' || event.role !== 'assistant' || this.#shown.has(event.messageId)) return ''
    return cleanText(textOf(event.message))
  }
}
