import { interrupted, TurnbuckleError } from '../base/errors.ts'
import type { AnswerAsked, Asked, ConversationCore, Requests as RequestsType } from '../types/conversation-core.ts'
import type { Journal, OutsideTurns } from '../types/journal.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import { checkAnswer, invalidAnswer, problemByAsker } from './check-answer.ts'
import type { Stamp } from './events.ts'
import { answerBy, authored, PendingRequest } from './pending-request.ts'
import { redactReason } from './redact-reason.ts'
import type { AnswerOptions, AskOptions, HandedAnswer, Request } from './request.ts'

/** A request that a process has left open, and that the resumed turn has not asked again yet. */
interface Unasked {
  readonly request: Request
  readonly past: UnfinishedTurn
  /** The turn that asked, where this process has resumed it. */
  readonly turn: TurnState | undefined
}

/** A conversation that has been read from a log. */
type LoggedCore = ConversationCore & { readonly outsideTurns: OutsideTurns; readonly journal: Journal }

type Closed = { readonly how: 'answered' | 'expired'; readonly decision?: unknown }

interface Answered extends AnswerOptions {
  readonly answer: unknown
}

/** The deadline of a question that no log keeps: it is lost with its process, and so is whoever waits for it. */
const fiveMinutes = 300_000

/** All requests that wait now, in any conversation: an answer that comes to the wrong one is foreign, not unknown. */
const waiting = new Set<string>()

/** The one broker between hooks that ask and people who answer. The first answer wins. */
export class Requests implements RequestsType {
  readonly #conversation: ConversationCore
  readonly #pending = new Map<string, PendingRequest>()
  readonly #closed = new Map<string, Closed>()
  /** Set while something waits here, on a log: other processes hand in answers to it. */
  #leaveDesk: (() => void) | undefined

  constructor(conversation: ConversationCore) {
    this.#conversation = conversation
  }

  get pending(): readonly Request[] {
    const open = Array.from(this.#pending.values(), ({ request }) => request)
    return [...open, ...this.#unasked().map(({ request }) => request)]
  }
  #unasked(): Unasked[] {
    const { unfinished, running } = this.#conversation
    const left = (past: UnfinishedTurn, turn: TurnState | undefined) =>
      past.requests.map(request => ({ request, past, turn }))
    const resumed = running.flatMap(turn => (turn.replay.past && !turn.over ? left(turn.replay.past, turn) : []))
    return [
      ...[...unfinished.values()].flatMap(past => left(past, undefined)),
      ...resumed.filter(({ request }) => !this.#pending.has(request.id) && !this.#closed.has(request.id)),
    ]
  }

  /**
   * The turn's clock stands still until somebody answers. An answer that the log has is checked by the asker's own function, which
   * nobody had when it came; where that refuses it, a new request is opened.
   */
  ask(turn: TurnState, id: string, kind: string, payload: unknown, options: Asked): Promise<unknown> {
    const { past } = turn.topmost.replay
    let { again } = options
    for (let requestId = id; ; requestId = `${requestId}.again`) {
      const known = past?.answer(requestId)
      if (!known) return this.#open(turn, { id: requestId, kind, payload, again }, options)
      const problem = problemByAsker(known.decision, options.check)
      if (problem === undefined) return Promise.resolve(answerBy(kind, known.decision, known.by))
      again = { requestId, problem }
    }
  }

  /** The waiter is registered before anyone can see the request. */
  #open(turn: TurnState, asked: Pick<Request, 'id' | 'kind' | 'payload' | 'again'>, options: AskOptions) {
    const { id } = asked
    if (this.#pending.has(id)) throw new TurnbuckleError('request.duplicate', `There is a request "${id}" already.`)
    const { past } = turn.topmost.replay
    const { clock, journal } = this.#conversation
    const { timeout = journal ? Infinity : fiveMinutes, schema, to, voted } = options
    const openedAt = clock.now()
    const deadline = past?.deadline(id) ?? (timeout === Infinity ? undefined : openedAt + timeout)
    const request: Request = { ...asked, turnId: turn.topmost.id, openedAt, deadline, schema, to, voted }
    const pending = new PendingRequest({
      request,
      turn,
      options,
      onEnd: end => {
        this.#remove(id)
        this.#closed.set(id, end)
      },
    })
    this.#pending.set(id, pending)
    waiting.add(id)
    this.#leaveDesk ??= journal?.desk?.attend(given => this.#takeHanded(given))
    const isOver = past?.expired(id)
    pending.open(isOver ? 0 : deadline === undefined ? Infinity : Math.max(0, deadline - openedAt))
    return pending.answer
  }

  #remove(id: string): void {
    this.#pending.delete(id)
    waiting.delete(id)
    if (this.#pending.size) return
    this.#leaveDesk?.()
    this.#leaveDesk = undefined
  }
  /** The conversation's owner is known here: whom another process names counts only where there is none. */
  async #takeHanded({ requestId, answer, options }: HandedAnswer): Promise<void> {
    await this.answer(requestId, answer, { ...options, owner: this.#conversation.owner ?? options.owner })
    await this.#conversation.journal?.barrier()
  }

  /** The turn ends now: what waits in it or below it is over, with what a process had left open. */
  interrupt(turn: TurnState): void {
    for (const pending of [...this.#pending.values()])
      if (isWithin(pending.turn, turn)) pending.interrupt(interrupted())
    for (const { request, turn: of } of this.#unasked())
      if (of === turn) {
        const { id, kind } = request
        this.#closed.set(id, { how: 'expired' })
        this.#conversation.tell({ type: 'request.expired', requestId: id, kind, reason: 'interrupted' }, turn)
      }
  }

  /** Drops the requests of a parked turn without an event: the process that resumes it asks again. */
  drop(turn: TurnState): void {
    for (const [id, pending] of this.#pending)
      if (pending.turn === turn) {
        this.#remove(id)
        pending.leave()
      }
  }

  /**
   * Throws at once when the answer is refused: late, double, unknown, foreign or malformed. Of what another process has asked it returns when the log has the answer.
   */
  answer(
    id: string,
    answer: unknown,
    options: AnswerOptions = {},
    { turnId, hooks: others }: AnswerAsked = {},
  ): Promise<void> | undefined {
    const pending = this.#pending.get(id)
    const left = pending ? undefined : this.#unasked().find(({ request }) => request.id === id)
    const hooks = (pending ?? left)?.turn?.hooks ?? others
    const kept = hooks ? redactReason(answer, text => hooks.clean(text)) : answer
    const given = { owner: this.#conversation.owner, ...options, answer: kept }
    if (left) return this.#answerUnasked(left, given, turnId)
    this.#give(this.#of(id, turnId), given)
    return undefined
  }
  #give(pending: PendingRequest, given: Answered): void {
    this.#check(pending.request, given)
    const problem = problemByAsker(given.answer, pending.options.check)
    if (problem !== undefined) throw invalidAnswer(pending.request.kind, problem)
    pending.take(given.answer, given.by)
  }
  #check(request: Request, given: Answered): void {
    checkAnswer(request, { ...given, at: this.#conversation.clock.now() })
  }

  /** Ends a request unanswered, as if its time had run out. */
  expire(id: string, turnId: string): void {
    this.#of(id, turnId).expire('nobody')
  }

  #of(id: string, turnId: string | undefined): PendingRequest {
    const pending = this.#pending.get(id)
    if (!pending) throw this.#refusal(id)
    if (turnId !== undefined && pending.request.turnId !== turnId) throw foreign(id)
    return pending
  }

  /**
   * Hands the answer to the process that works on the turn. Where none does, or the turn has not asked again, it is written into the log:
   * resuming finds it.
   */
  #answerUnasked({ request, past, turn }: Unasked, given: Answered, turnId: string | undefined): Promise<void> {
    const { id } = request
    if (turnId !== undefined && past.turnId !== turnId) throw foreign(id)
    this.#check(request, given)
    if (this.#closed.has(id)) throw this.#refusal(id)
    this.#closed.set(id, { how: 'answered', decision: given.answer })
    const kept = this.#handOrWrite(request, given, turn)
    // A request whose answer was not kept is open again, also for callers that do not await.
    kept.catch(() => this.#closed.delete(id))
    return kept
  }
  /** Rejects also where a store that answers at once throws. */
  async #handOrWrite(request: Request, given: Answered, turn: TurnState | undefined): Promise<void> {
    const { outsideTurns, journal } = this.#conversation as LoggedCore
    const { answer, ...options } = given
    const handed = journal.desk?.hand({ requestId: request.id, answer, options })
    const isTaken = handed instanceof Promise && (await handed)
    await (isTaken ? journal.refresh() : outsideTurns.write(() => this.#keep(request, given, turn)))
  }

  /** Runs as the log's writer, after reading it again: another process may have answered or gone on since. */
  #keep({ id, kind, turnId }: Request, given: Answered, asked: TurnState | undefined): void {
    const { running, unfinished } = this.#conversation
    const pending = this.#pending.get(id)
    if (pending) {
      this.#give(pending, given)
      return
    }
    const turn = asked ?? running.find(other => other.id === turnId)
    const past = turn ? turn.replay.past : unfinished.get(turnId)
    const open = past?.requests.some(request => request.id === id)
    if (!open) throw new TurnbuckleError('request.expired', `The request "${id}" is over: another process went on.`)
    const decision = authored({ decision: given.answer, by: given.by })
    const answered = { type: 'request.answered' as const, requestId: id, kind, ...decision, turnId }
    this.#conversation.tell(answered, turn)
    // Told, so it has its number and its time.
    past?.add(answered as typeof answered & Stamp)
  }

  /** The end of a request in the logs of unfinished and resumed turns: another process may have answered it. */
  #closedBefore(id: string): Closed | undefined {
    const { unfinished, running } = this.#conversation
    for (const past of [...unfinished.values(), ...running.flatMap(turn => turn.replay.past ?? [])]) {
      const answer = past.answer(id)
      if (answer) return { how: 'answered', ...answer }
      if (past.expired(id)) return { how: 'expired' }
    }
    return undefined
  }
  /** Where the log was lost, memory may have what the log never got: that is the reason then. */
  #refusal(id: string): unknown {
    const broken = this.#conversation.journal?.broken
    if (broken !== undefined) return broken
    const closed = this.#closed.get(id) ?? this.#closedBefore(id)
    if (closed?.how === 'answered')
      return new TurnbuckleError('request.answered', `The request "${id}" was answered already.`, {
        cause: closed.decision,
      })
    if (closed) return new TurnbuckleError('request.expired', `The request "${id}" is over: nobody answered in time.`)
    if (waiting.has(id))
      return new TurnbuckleError('request.foreign', `The request "${id}" belongs to another conversation.`)
    return new TurnbuckleError('request.unknown', `There is no request "${id}" in this conversation.`)
  }
}

const foreign = (id: string): TurnbuckleError =>
  new TurnbuckleError('request.foreign', `The request "${id}" belongs to another turn.`)

/** True for `above` itself, and for turns of sub-agents below it. */
const isWithin = (turn: TurnState, above: TurnState): boolean =>
  turn === above || (turn.parent ? isWithin(turn.parent, above) : false)
