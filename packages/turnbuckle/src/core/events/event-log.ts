import type { Event } from './events.ts'
import { LazyEvent } from './news.ts'

/** The events of a turn so far. An event that nobody listened to becomes an object when the log is read. */
export class EventLog implements Iterable<Event> {
  readonly #turnId: string
  readonly #conversationId: string
  readonly #entries: (Event | LazyEvent)[] = []

  constructor(turnId: string, conversationId: string) {
    this.#turnId = turnId
    this.#conversationId = conversationId
  }

  push(event: Event | LazyEvent): void {
    this.#entries.push(event)
  }

  *[Symbol.iterator](): Generator<Event> {
    for (const entry of this.#entries) yield entry instanceof LazyEvent ? this.#make(entry) : entry
  }
  #make(entry: LazyEvent): Event {
    const { seq, at } = entry
    return Object.assign(entry.body(), { conversationId: this.#conversationId, seq, at, turnId: this.#turnId })
  }
}
