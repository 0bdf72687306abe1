import type { Event, EventBody } from './events.ts'
import type { Run } from './run.ts'

/** Makes an event from what it tells of. */
export type Maker<First, Second> = (first: First, second: Second) => EventBody

/**
 * What a turn has told so far. News that nobody listens to is kept as a reference to what it is about, and becomes an
 * event when somebody reads it.
 */
export class EventLog implements Iterable<Event> {
  readonly #run: Run
  /** Either an event, or four entries: how to make it, from what, and its number. Its time is in the fifth. */
  readonly #entries: unknown[] = []

  constructor(run: Run) {
    this.#run = run
  }

  push(event: Event): void {
    this.#entries.push(event)
  }
  later<First, Second>(make: Maker<First, Second>, first: First, second: Second, seq: number, at: number): void {
    this.#entries.push(make, first, second, seq, at)
  }

  *[Symbol.iterator](): Generator<Event> {
    const entries = this.#entries
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]
      if (typeof entry !== 'function') yield entry as Event
      else {
        const body = (entry as Maker<unknown, unknown>)(entries[i + 1], entries[i + 2]) as Event
        const { id, thread } = this.#run
        yield Object.assign(body, { conversationId: thread.id, seq: entries[i + 3], at: entries[i + 4], turnId: id })
        i += 4
      }
    }
  }
}
