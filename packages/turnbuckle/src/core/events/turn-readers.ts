import { type Message, textOf } from '../base/message.ts'
import type { ModelAttempt } from '../model/model-attempt.ts'
import type { TurnState } from '../turn/turn-state.ts'
import { type Event, endsTurn } from './events.ts'
import { deltaEvent, type TurnListener } from './shared-conversation.ts'

const end = { done: true as const, value: undefined }

/** The pull side of a listener. Reads what is there at once, waits for the rest. */
abstract class Reader<Item> implements AsyncIterator<Item>, TurnListener {
  protected readonly turn: TurnState
  protected over = false
  #attached = false
  readonly #waiting: ((result: IteratorResult<Item, undefined>) => void)[] = []

  constructor(turn: TurnState) {
    this.turn = turn
  }

  abstract event(event: Event): void
  abstract hear(messageId: string, text: string, offset: number, reasoning: boolean): void
  protected abstract take(): Item | undefined

  /** A late reader gets the events so far, then the growing reply in one piece, then its deltas. */
  #attach(): void {
    this.#attached = true
    for (const event of this.turn.events) this.again(event)
    if (this.over) return
    this.turn.listen(this)
    const { attempt } = this.turn.step
    if (attempt?.shown) this.grown(attempt)
  }
  /** Takes an event from before the reader was attached. */
  protected again(event: Event): void {
    this.event(event)
  }
  protected abstract grown(attempt: ModelAttempt): void

  protected wake(): void {
    while (this.#waiting.length) {
      const item = this.take()
      if (item === undefined && !this.over) return
      this.#waiting.shift()?.(item === undefined ? end : { done: false, value: item })
    }
  }
  protected finish(): void {
    this.over = true
    this.turn.unlisten(this)
    this.wake()
  }

  /** No coroutine: this is called once a delta. */
  next(): Promise<IteratorResult<Item, undefined>> {
    if (!this.#attached) this.#attach()
    const item = this.take()
    if (item !== undefined) return Promise.resolve({ done: false, value: item })
    if (this.over) return Promise.resolve(end)
    return new Promise(resolve => {
      this.#waiting.push(resolve)
    })
  }
  return(): Promise<IteratorResult<Item, undefined>> {
    this.finish()
    return Promise.resolve(end)
  }
}

/** Every event of a turn from its first, for any number of readers. */
export class EventReader extends Reader<Event> {
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
  protected override grown(attempt: ModelAttempt): void {
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

/** Calls `act` once no promise is ready to go on. A browser has nothing nearer than a timer for that. */
const whenIdle: (act: () => void) => void =
  (globalThis as { process?: { nextTick?: (act: () => void) => void } }).process?.nextTick ?? (act => setTimeout(act))

/** Pieces in a row that are single deltas, and the most deltas in a piece after those. */
const single = 16
const most = 256

/**
 * The text of the replies. What was not streamed comes in one piece. Waking a reader costs more than a delta, so while
 * a model says one thing after the other without a pause, the pieces grow; at a pause there is nothing held back.
 */
export class TextReader extends Reader<string> {
  #pending = ''
  #streamed: string | undefined
  #deltas = 0
  /** Pieces since the last pause, and how many deltas the next one should have. */
  #pieces = 0
  #wanted = 1
  /** The wake-up at the next pause. Its reference is cleared when the turn ends, so that it does not hold the reader. */
  #pause: { reader: TextReader | undefined } | undefined

  override event(event: Event): void {
    if (event.type === 'message.added' && event.role === 'assistant' && event.messageId !== this.#streamed)
      this.#add(textOf(event.message))
    if (endsTurn(event)) this.finish()
  }
  override hear(messageId: string, text: string, _offset: number, reasoning: boolean): void {
    if (reasoning) return
    this.#streamed = messageId
    this.#add(text)
  }
  protected override grown(attempt: ModelAttempt): void {
    this.hear(attempt.id, attempt.text, 0, false)
  }
  #add(text: string): void {
    this.#pending += text
    if (++this.#deltas >= this.#wanted) this.wake()
    if (this.#pause) return
    const pause = { reader: this as TextReader | undefined }
    this.#pause = pause
    whenIdle(() => pause.reader?.pause())
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
