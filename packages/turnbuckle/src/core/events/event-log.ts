import type { Event, EventBody } from './events.ts'

/** Makes an event from the things it tells of. */
export type Maker<First, Second> = (first: First, second: Second) => EventBody

/**
 * The events of a turn so far. An event without a listener is kept as its maker and that one's arguments, and becomes an
 * object only when the log is read.
 */
export class EventLog implements Iterable<Event> {
  readonly #turnId: string
  readonly #conversationId: string
  /** Events; news as how to make it and from what, one or two things; a number where the time has changed. */
  readonly #entries: unknown[] = []
  /** Sequence numbers that are not the one before plus one, by the place of their maker. */
  #jumps: Map<number, number> | undefined
  #seq = 0
  #at = 0

  constructor(turnId: string, conversationId: string) {
    this.#turnId = turnId
    this.#conversationId = conversationId
  }

  push(event: Event): void {
    this.#seq = event.seq ?? 0
    this.#entries.push(event)
  }
  later<First, Second>(make: Maker<First, Second>, first: First, second: Second, seq: number, at: number): void {
    const entries = this.#entries
    if (at !== this.#at) {
      this.#at = at
      entries.push(at)
    }
    if (seq !== this.#seq + 1) {
      this.#jumps ??= new Map()
      this.#jumps.set(entries.length, seq)
    }
    this.#seq = seq
    if (second === undefined) entries.push(make, first)
    else entries.push(make, first, second)
  }

  *[Symbol.iterator](): Generator<Event> {
    const entries = this.#entries
    let seq = 0
    let at = 0
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]
      if (typeof entry === 'number') at = entry
      else if (typeof entry === 'function') {
        seq = this.#jumps?.get(i) ?? seq + 1
        const make = entry as Maker<unknown, unknown>
        const body = make(entries[i + 1], entries[i + 2]) as Event
        i += make.length
        yield Object.assign(body, { conversationId: this.#conversationId, seq, at, turnId: this.#turnId })
      } else {
        seq = (entry as Event).seq ?? 0
        yield entry as Event
      }
    }
  }
}
