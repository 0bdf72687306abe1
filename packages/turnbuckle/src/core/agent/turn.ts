import { TurnbuckleError } from '../base/errors.ts'
import type { Usage } from '../base/ports.ts'
import type { Decision } from '../directives/directives.ts'
import { DeltaReader } from '../events/delta-reader.ts'
import { EventReader } from '../events/event-reader.ts'
import type { Event, TextDelta } from '../events/events.ts'
import type { AnswerOptions, Request } from '../events/request.ts'
import { TextReader } from '../events/text-reader.ts'
import type { Middleware } from '../hooks/middleware.ts'
import { callsOfTurn } from '../turn/calls-of-turn.ts'
import { interruptReason, interruptTurn } from '../turn/interrupt-turn.ts'
import { leaveToLog } from '../turn/park-turn.ts'
import type { TurnCall, TurnResult, Turn as TurnType } from '../types/turn.ts'
import type { TurnState } from '../types/turn-state.ts'

/** The handle of a turn: a user message being worked on. Await it for the result, iterate it for every event. */
export class Turn implements TurnType {
  readonly id: string
  /** Always resolves, also when the turn failed. */
  readonly settled: Promise<TurnResult>
  readonly #turn: TurnState

  constructor(turn: TurnState, settled: Promise<TurnResult>) {
    this.id = turn.id
    this.#turn = turn
    this.settled = settled
  }

  /**
   * The replies' text as it comes; a slow reader gets it in larger pieces. A blank line stands between messages, and where an attempt
   * was given up whose text cannot be taken back.
   */
  get text(): AsyncIterable<string> {
    const turn = this.#turn
    return { [Symbol.asyncIterator]: () => new TextReader(turn) }
  }
  /** The replies' text for who can take text back: `{ text }` comes at the end, `{ withdrawn }` is taken from it. */
  get deltas(): AsyncIterable<TextDelta> {
    const turn = this.#turn
    return { [Symbol.asyncIterator]: () => new DeltaReader(turn) }
  }
  get conversationId(): string {
    return this.#turn.conversation.id
  }
  /** The usage so far; of a turn that has ended, its result's. */
  get usage(): Usage {
    return this.#turn.result?.usage ?? this.#turn.spent.usage
  }
  /** Middleware of this turn alone. */
  get use(): readonly Middleware[] {
    return this.#turn.use
  }
  /** The turn whose tool call this one works for, where it is a sub-agent's. */
  get parent(): TurnType | undefined {
    return this.#turn.parent?.handle
  }
  get steps(): number {
    return this.#turn.spent.modelStages
  }
  get calls(): readonly TurnCall[] {
    return callsOfTurn(this.#turn)
  }
  get ended(): boolean {
    return this.#turn.over
  }
  /** Resolves when this process works on it, or it has ended. On a log another process may have to finish first. */
  get began(): Promise<void> {
    const begun = new Promise<void>(resolve => this.#turn.whenBegun(resolve))
    return Promise.race([begun, this.settled.then(() => {})])
  }

  /** Ends the turn now: a valid history and the terminal event come first, whatever is still running. */
  interrupt(reason = 'interrupted'): void {
    interruptTurn(this.#turn, interruptReason(reason))
  }
  /** Stops working on it without ending it: the log keeps it for `agent.resume`. Without a log it is interrupted. */
  park(): void {
    if (this.#turn.journal) leaveToLog(this.#turn)
    else interruptTurn(this.#turn, 'parked without a log')
  }
  /** Queues a message; it is applied after the current batch's results. Throws when the turn is over. */
  interject(text: string): void {
    this.#turn.interject(text)
  }
  /** Takes back what a person interjected last and the turn has not heard yet; undefined where there is nothing. */
  takeBack(): string | undefined {
    return this.#turn.takeBack()
  }
  /** This turn's requests that wait for an answer. */
  get requests(): readonly Request[] {
    return this.#turn.conversation.requests.pending.filter(({ turnId }) => turnId === this.id)
  }
  /** As `conversation.answer`, for this turn's requests. */
  answer(requestId: string, answer: unknown, options: AnswerOptions = {}): Promise<void> | undefined {
    return this.#turn.conversation.requests.answer(requestId, answer, options, { turnId: this.id })
  }
  /** Ends a request unanswered: the fallback counts now, or `ask` rejects with `request.expired`. Refused like an answer. */
  expire(requestId: string): void {
    this.#turn.conversation.requests.expire(requestId, this.id)
  }
  /** Every directive that was given, by whom, where, and whether it won. */
  explain(): Decision[] {
    return this.#turn.steering.decisions.map(decision => ({ ...decision }))
  }

  [Symbol.asyncIterator](): AsyncIterator<Event> {
    return new EventReader(this.#turn)
  }

  // biome-ignore lint/suspicious/noThenProperty: a turn is awaited as it is
  then<Fulfilled = TurnResult, Rejected = never>(
    fulfilled?: ((result: TurnResult) => Fulfilled | PromiseLike<Fulfilled>) | null,
    rejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.settled.then(orThrow).then(fulfilled, rejected)
  }
}

function orThrow(result: TurnResult): TurnResult {
  if (result.status !== 'failed') return result
  const { error } = result
  // An error object may fail several turns: each await sees the result of its own turn.
  if (takesResult(error, result)) throw error
  const thrown = new TurnbuckleError('turn.failed', `The turn failed: ${result.reason}`, { cause: error })
  throw Object.assign(thrown, { result })
}

/** Puts the result of a turn on its error. False for what is no error, or is frozen. */
function takesResult(error: unknown, result: TurnResult): boolean {
  try {
    return error instanceof Error && Reflect.defineProperty(error, 'result', { value: result, configurable: true })
  } catch {
    return false
  }
}
