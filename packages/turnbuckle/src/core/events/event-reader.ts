import { type Message, textOf } from '../base/message.ts'
import { type Event, endsTurn } from './events.ts'
import type { GrowingReply } from './growing-reply.ts'
import { deltaEvent } from './shared-conversation.ts'
import { TurnReader } from './turn-reader.ts'

/** Every event of a turn from its first, for any number of readers. */
export class EventReader extends TurnReader<Event> {
  #queue: Event[] = []
  #read = 0
  /** The message of before that was being shown. */
  #started: string | undefined

  override event(event: Event): void {
    this.#queue.push(event)
    if (endsTurn(event)) this.finish()
    else this.wake()
  }
  override hear(messageId: string, text: string, offset: number, reasoning: boolean): void {
    this.event(this.#delta(messageId, text, offset, reasoning))
  }
  /** Deltas are not kept: what a message was shown in comes again as one. */
  protected override again(event: Event): void {
    if (event.type === 'message.started') this.#started = event.messageId
    if (event.type === 'message.added' && event.messageId === this.#started)
      for (const [text, reasoning] of said(event.message))
        this.event({ ...this.#delta(event.messageId, text, 0, reasoning), at: event.at })
    this.event(event)
  }
  protected override grown(attempt: GrowingReply): void {
    for (const [text, reasoning] of said(attempt.message()))
      this.event({ ...this.#delta(attempt.id, text, 0, reasoning), type: 'message.text' } as Event)
    const { id: turnId, conversation } = this.turn
    const common = { conversationId: conversation.id, at: conversation.clock.now(), turnId, messageId: attempt.id }
    for (const call of attempt.written) this.event({ type: 'tool.text', ...common, ...call })
  }
  #delta(messageId: string, text: string, offset: number, reasoning: boolean): Event {
    const { id, conversation } = this.turn
    return deltaEvent({ turnId: id, messageId, text, offset, reasoning }, conversation)
  }
  protected override take(): Event | undefined {
    const event = this.#queue[this.#read++]
    if (event === undefined) {
      this.#queue = []
      this.#read = 0
    }
    return event
  }
}

/** The thoughts and the text of a message, where it has any. */
const said = (message: Message): readonly (readonly [string, boolean])[] => {
  let reasoning = ''
  for (const part of message.content) if (part.type === 'reasoning') reasoning += part.text
  const both = [
    [reasoning, true],
    [textOf(message), false],
  ] as const
  return both.filter(([text]) => text)
}
