import { mayAnswer, TurnbuckleError } from 'turnbuckle'
import type { ClosedRequest, ConversationView, WireRequest } from 'turnbuckle/client'

/** The requests of one conversation, open and closed, as its log has them. */
export class LoggedRequests {
  readonly #view: ConversationView
  readonly #owner: string

  constructor(view: ConversationView, owner: string) {
    this.#view = view
    this.#owner = owner
  }

  /** Ids of open and closed requests. */
  get ids(): Iterable<string> {
    return this.#view.facts.requestIds
  }
  /** A request that waits for its answer. */
  open(id: string): WireRequest | undefined {
    return this.#view.requests.find(request => request.id === id)
  }
  closed(id: string): ClosedRequest | undefined {
    return this.#view.facts.closedRequests.get(id)
  }
  /** Throws for a request that is closed, also where it was answered before a restart. */
  checkOpen(id: string): void {
    const closed = this.closed(id)
    if (closed) throw closedError(closed)
  }
  /** People whom requests of this conversation have named, closed ones included. */
  get askedPeople(): ReadonlySet<string> {
    return new Set([...this.#view.facts.askedPeople.values()].flat())
  }
  /** The open requests that name a person who has not voted there yet. */
  to(person: string): readonly WireRequest[] {
    return this.#view.requests.filter(({ to, voted }) => to?.includes(person) && !voted?.includes(person))
  }
  /** True for the owner, for people whom the request names, and where it names none for those who talk here; also where it is closed. */
  mayAnswer(id: string, by: string, talks: boolean): boolean {
    return mayAnswer({ to: this.#view.facts.askedPeople.get(id) }, { by, owner: this.#owner, talks })
  }
}

/** The refusal of an answer to a closed request. */
export const closedError = ({ how, decision }: ClosedRequest): TurnbuckleError =>
  how === 'answered'
    ? new TurnbuckleError('request.answered', 'That was answered already.', { cause: decision })
    : new TurnbuckleError('request.expired', 'That question is over: nobody answered in time.')
