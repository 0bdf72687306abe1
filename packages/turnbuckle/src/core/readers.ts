import { type Event, endsTurn } from './events.ts'
import { textOf } from './message.ts'
import type { Run } from './run.ts'
import { type Delta, deltaEvent, type Listener } from './thread.ts'

const end = { done: true as const, value: undefined }

/** The pull side of a listener. Reads what is there at once, waits for the rest. */
abstract class Reader<Item> implements AsyncIterator<Item>, Listener {
  protected readonly run: Run
  protected over = false
  #attached = false
  readonly #waiting: ((result: IteratorResult<Item, undefined>) => void)[] = []

  constructor(run: Run) {
    this.run = run
  }

  abstract event(event: Event): void
  abstract delta(delta: Delta): void
  protected abstract take(): Item | undefined

  /** Someone who comes late gets what was, the text so far in one piece, then deltas. */
  #attach(): void {
    this.#attached = true
    for (const event of this.run.events) this.event(event)
    if (this.over) return
    this.run.listeners.add(this)
    const { attempt, id } = this.run
    const text = attempt?.shown ? attempt.text : ''
    if (attempt && text) this.delta({ turnId: id, messageId: attempt.id, text, offset: 0, reasoning: false })
  }

  protected wake(): void {
    while (this.#waiting.length) {
      const item = this.take()
      if (item === undefined && !this.over) return
      this.#waiting.shift()?.(item === undefined ? end : { done: false, value: item })
    }
  }
  protected finish(): void {
    this.over = true
    this.run.listeners.delete(this)
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

  override event(event: Event): void {
    this.#queue.push(event)
    if (endsTurn(event)) this.finish()
    else this.wake()
  }
  override delta(delta: Delta): void {
    this.event(deltaEvent(delta, this.run.thread))
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

/** The text of the replies. What was not streamed comes in one piece. */
export class TextReader extends Reader<string> {
  #pending = ''
  #streamed: string | undefined

  override event(event: Event): void {
    if (event.type === 'message.added' && event.role === 'assistant' && event.messageId !== this.#streamed)
      this.#add(textOf(event.message))
    if (endsTurn(event)) this.finish()
  }
  override delta({ text, reasoning, messageId }: Delta): void {
    if (reasoning) return
    this.#streamed = messageId
    this.#add(text)
  }
  #add(text: string): void {
    this.#pending += text
    this.wake()
  }
  protected override take(): string | undefined {
    const pending = this.#pending
    this.#pending = ''
    return pending || undefined
  }
}
