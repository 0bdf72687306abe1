import { textOf } from '../base/message.ts'
import { type Event, endsTurn, type MessageDelta } from './events.ts'
import type { GrowingReply } from './growing-reply.ts'
import { TurnReader } from './turn-reader.ts'

/** Calls `act` once no promise is ready to go on. A browser has nothing nearer than a timer for that. */
const whenIdle: (act: () => void) => void =
  (globalThis as { process?: { nextTick?: (act: () => void) => void } }).process?.nextTick ?? (act => setTimeout(act))

/** Pieces in a row that are single deltas, and the most deltas in a piece after those. */
const single = 16
const most = 256

/** Stands between the texts of two messages, and where text was withdrawn. */
export const blankLine = '\n\n'

/**
 * The text of the replies. Text that was given cannot be taken back: a blank line comes between two messages, and between an attempt
 * that was given up and the next one. What was not streamed comes in one piece. Waking a reader costs more than a delta, so while
 * a model says one thing after the other without a pause, the pieces grow; at a pause there is nothing held back.
 */
export class TextReader extends TurnReader<string> {
  #pending = ''
  /** The message whose text came last, and the attempt that has all that came of it. */
  #messageId: string | undefined
  #reply: GrowingReply | undefined
  /** As much of the message as was given, where its attempt is over already: its deltas waited for the log. */
  #given = ''
  #deltas = 0
  /** Pieces since the last pause, and how many deltas the next one should have. */
  #pieces = 0
  #wanted = 1
  /** The wake-up at the next pause. Its reference is cleared when the turn ends, so that it does not hold the reader. */
  #pause: { reader: TextReader | undefined } | undefined

  override event(event: Event): void {
    if (event.type === 'message.added' && event.role === 'assistant')
      this.#complete(event.messageId, textOf(event.message))
    if (endsTurn(event)) this.finish()
  }
  override delta({ messageId, text, reasoning }: MessageDelta): void {
    if (reasoning) return
    this.#add(messageId, text)
  }
  protected override grown({ id, text }: GrowingReply): void {
    this.#add(id, text)
  }
  /** A message is recorded. A text that hooks have changed since it was given comes once more. */
  #complete(messageId: string, text: string): void {
    const given = messageId === this.#messageId ? (this.#reply?.text ?? this.#given) : ''
    // Unchanged it is the same string, and a long text is not read for that.
    if (text === given) return
    this.#add(messageId, text.startsWith(given) ? text.slice(given.length) : blankLine + text)
  }
  #add(messageId: string, text: string): void {
    if (!text) return
    if (messageId !== this.#messageId) {
      if (this.#messageId !== undefined) this.#pending += blankLine
      this.#messageId = messageId
      this.#reply = this.#growing(messageId)
      this.#given = ''
    }
    if (!this.#reply) this.#given += text
    this.#pending += text
    if (++this.#deltas >= this.#wanted) this.wake()
    if (this.#pause) return
    const pause = { reader: this as TextReader | undefined }
    this.#pause = pause
    whenIdle(() => pause.reader?.pause())
  }
  /** The attempt that writes a message, while it is under way. */
  #growing(messageId: string): GrowingReply | undefined {
    const { attempt } = this.turn.step
    return attempt?.id === messageId ? attempt : undefined
  }
  pause(): void {
    this.#pause = undefined
    this.#pieces = 0
    this.#wanted = 1
    this.wake()
  }
  protected override finish(): void {
    if (this.#pause) this.#pause.reader = undefined
    super.finish()
  }
  protected override take(): string | undefined {
    const pending = this.#pending
    if (!pending || (this.#deltas < this.#wanted && !this.over)) return undefined
    this.#pending = ''
    this.#deltas = 0
    if (++this.#pieces > single) this.#wanted = Math.min(most, this.#wanted * 2)
    return pending
  }
}
