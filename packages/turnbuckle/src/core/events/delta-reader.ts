import { textOf } from '../base/message.ts'
import { type Event, endsTurn, type MessageDelta, type TextDelta } from './events.ts'
import type { GrowingReply } from './growing-reply.ts'
import { blankLine } from './text-reader.ts'
import { TurnReader } from './turn-reader.ts'

/**
 * The text of the replies for a reader that can take text back: with every delta followed, it holds the messages that count, with a
 * blank line between them. `withdrawn` is always the end of the text so far.
 */
export class DeltaReader extends TurnReader<TextDelta> {
  readonly #pending: TextDelta[] = []
  /** The message whose text came last, and all that was given of it, with the blank line before it. */
  #messageId: string | undefined
  #given = ''
  /** True where text of an earlier message stands. */
  #follows = false

  override event(event: Event): void {
    if (event.type === 'message.added' && event.role === 'assistant')
      this.#complete(event.messageId, textOf(event.message))
    if (event.type === 'message.discarded' && event.messageId === this.#messageId) this.#withdraw()
    if (endsTurn(event)) this.finish()
    else this.wake()
  }
  override delta({ messageId, text, reasoning }: MessageDelta): void {
    if (reasoning) return
    this.#add(messageId, text)
    this.wake()
  }
  protected override grown({ id, text }: GrowingReply): void {
    this.#add(id, text)
  }

  #add(messageId: string, text: string): void {
    if (!text) return
    const isNext = messageId !== this.#messageId
    if (isNext) {
      this.#follows ||= this.#given !== ''
      this.#messageId = messageId
      this.#given = ''
    }
    const piece = isNext && this.#follows ? blankLine + text : text
    this.#given += piece
    const last = this.#pending.at(-1)
    if (last && 'text' in last) this.#pending[this.#pending.length - 1] = { text: last.text + piece }
    else this.#pending.push({ text: piece })
  }
  /** A message is recorded. Hooks may have changed its text since it was given. */
  #complete(messageId: string, text: string): void {
    const given = messageId === this.#messageId ? this.#given : ''
    const known = this.#follows && given ? given.slice(blankLine.length) : given
    const grows = text.startsWith(known)
    if (!grows) this.#withdraw()
    this.#add(messageId, grows ? text.slice(known.length) : text)
  }
  #withdraw(): void {
    const given = this.#given
    this.#messageId = undefined
    this.#given = ''
    if (given) this.#pending.push({ withdrawn: given })
  }

  protected override take(): TextDelta | undefined {
    return this.#pending.shift()
  }
}
