import { type Event, textOf } from 'turnbuckle'

/**
 * The text of a turn's replies for clients that cannot take text back: a blank line stands between messages, and where an attempt was
 * given up.
 */
export class AnswerText {
  readonly #shown = new Map<string, string>()
  readonly #recorded: string[] = []
  #last: string | undefined
  /** All that was told. */
  told = ''

  /** The recorded replies, without attempts that were given up. */
  get exact(): string {
    return this.#recorded.join('\n\n')
  }

  /** The text that an event adds. */
  add(event: Event): string {
    if ((event.type === 'message.delta' || event.type === 'message.text') && !event.reasoning) {
      const shown = this.#shown.get(event.messageId) ?? ''
      return this.#tell(event.messageId, event.text.slice(Math.max(0, shown.length - event.offset)))
    }
    if (event.type !== 'message.added' || event.role !== 'assistant') return ''
    const text = textOf(event.message)
    if (text) this.#recorded.push(text)
    const shown = this.#shown.get(event.messageId) ?? ''
    if (text.startsWith(shown)) return this.#tell(event.messageId, text.slice(shown.length))
    // A hook has changed it since it was shown.
    this.#last = undefined
    return this.#tell(event.messageId, text)
  }
  #tell(messageId: string, text: string): string {
    if (!text) return ''
    const told = messageId !== this.#last && this.told ? `\n\n${text}` : text
    this.#last = messageId
    this.#shown.set(messageId, (this.#shown.get(messageId) ?? '') + text)
    this.told += told
    return told
  }
}
