import { type Message, textOf } from '../base/message.ts'
import { deltaEvent } from './event-makers.ts'
import { type Event, endsTurn, type MessageDelta } from './events.ts'
import type { GrowingReply } from './growing-reply.ts'
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
  override delta(delta: MessageDelta): void {
    this.event(this.#asEvent(delta))
  }
  /** Deltas are not kept: what a message was shown in comes again as one. */
  protected override again(event: Event): void {
    if (event.type === 'message.started') this.#started = event.messageId
    if (event.type === 'message.added' && event.messageId === this.#started)
      for (const delta of said(event.message, event.messageId)) this.event({ ...this.#asEvent(delta), at: event.at })
    this.event(event)
  }
  protected override grown(attempt: GrowingReply): void {
    for (const delta of said(attempt.message(), attempt.id))
      this.event({ ...this.#asEvent(delta), type: 'message.text' } as Event)
    const { id: turnId, conversation } = this.turn
    const common = { conversationId: conversation.id, at: conversation.clock.now(), turnId, messageId: attempt.id }
    for (const call of attempt.written) this.event({ type: 'tool.text', ...common, ...call })
  }
  #asEvent(delta: MessageDelta): Event {
    return deltaEvent(delta, this.turn.id, this.turn.conversation)
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

/** The thoughts and the text of a message, where it has any, each as one delta. */
function said(message: Message, messageId: string): MessageDelta[] {
  let thoughts = ''
  for (const part of message.content) if (part.type === 'reasoning') thoughts += part.text
  const common = { type: 'message.delta' as const, messageId, offset: 0 }
  const both: MessageDelta[] = [
    { ...common, text: thoughts, reasoning: true },
    { ...common, text: textOf(message) },
  ]
  return both.filter(({ text }) => text)
}
