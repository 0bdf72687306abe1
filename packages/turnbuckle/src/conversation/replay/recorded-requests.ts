import type { Event } from '../../core/events/events.ts'

/** The end of a request in the record: a person's answer, or nobody's. */
export type RecordedEnd =
  | { readonly how: 'answered'; readonly decision: unknown; readonly by?: string | undefined; readonly at: number }
  | { readonly how: 'expired'; readonly at: number }

/** The questions of a recorded turn, by the id of the request that asked first. */
export class RecordedRequests {
  readonly #ends = new Map<string, RecordedEnd>()
  /** For each request that was opened again, the id of the first. */
  readonly #first = new Map<string, string>()

  constructor(events: readonly Event[]) {
    for (const event of events) this.#read(event)
  }

  end(requestId: string): RecordedEnd | undefined {
    return this.#ends.get(requestId)
  }

  /** A request that was opened again answers for the one before it: a turn that is not resumed asks once. */
  #read(event: Event): void {
    if (event.type === 'request.opened' && event.again)
      this.#first.set(event.requestId, this.#firstOf(event.again.requestId))
    if (event.type === 'request.answered') {
      const { decision, by, at } = event
      this.#ends.set(this.#firstOf(event.requestId), { how: 'answered', decision, by, at })
    }
    // A request that an interrupt closed was open until then.
    if (event.type === 'request.expired' && event.reason !== 'interrupted')
      this.#ends.set(this.#firstOf(event.requestId), { how: 'expired', at: event.at })
  }
  #firstOf(requestId: string): string {
    return this.#first.get(requestId) ?? requestId
  }
}
