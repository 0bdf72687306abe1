import { interrupted, TurnbuckleError } from '../base/errors.ts'
import type { OutsideTurns } from '../types/journal.ts'
import type { Requests as RequestsType, SharedConversation } from '../types/shared-conversation.ts'
import type { TurnState } from '../types/turn-state.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import type { Stamp } from './events.ts'
import { type AskOptions, checkAnswer, type Request, readFallback } from './request.ts'

interface Pending {
  readonly request: Request
  readonly turn: TurnState
  readonly check: AskOptions['check']
  close(how: 'answered' | 'expired', value: unknown, reason?: string): void
  /** Ends the request unanswered: its fallback counts. */
  expire(reason: string): void
  cancel(): void
}

/** A request that a process has left open, and that the resumed turn has not asked again yet. */
interface Unasked {
  readonly request: Request
  readonly past: UnfinishedTurn
  /** The turn that asked, where this process has resumed it. */
  readonly turn: TurnState | undefined
}

type Closed = { readonly how: 'answered' | 'expired'; readonly decision: unknown }

const fiveMinutes = 300_000

/** All requests that wait now, in any conversation: an answer that comes to the wrong one is foreign, not unknown. */
const waiting = new Set<string>()

/** The one broker between hooks that ask and people who answer. The first answer wins. */
export class Requests implements RequestsType {
  readonly #conversation: SharedConversation
  readonly #pending = new Map<string, Pending>()
  readonly #closed = new Map<string, Closed>()

  constructor(conversation: SharedConversation) {
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

  /** The turn's clock stands still until somebody answers. The waiter is registered before anyone can see the request. */
  ask(turn: TurnState, id: string, kind: string, payload: unknown, options: AskOptions): Promise<unknown> {
    const { past } = turn.topmost.replay
    const known = past?.answer(id)
    if (known) return Promise.resolve(known.decision)
    if (this.#pending.has(id)) throw new TurnbuckleError('request.duplicate', `There is a request "${id}" already.`)
    const { timeout: limit = fiveMinutes, fallback } = options
    const openedAt = this.#conversation.clock.now()
    const deadline = past?.deadline(id) ?? (limit === Infinity ? undefined : openedAt + limit)
    const timeout = deadline === undefined ? Infinity : Math.max(0, deadline - openedAt)
    const request: Request = { id, kind, payload, turnId: turn.topmost.id, openedAt, deadline }
    return new Promise((resolve, reject) => {
      const endPause = pauseAll(turn)
      const expire = (reason: string) => {
        pending.close('expired', fallback === undefined ? undefined : readFallback(kind, fallback), reason)
      }
      const cancel =
        deadline === undefined ? undefined : this.#conversation.clock.after(timeout, () => expire('deadline'))
      const offCut = turn.time.waits.on(error => pending.close('expired', error, 'interrupted'))
      const close: Pending['close'] = (how, value, reason = '') => {
        this.#pending.delete(id)
        waiting.delete(id)
        this.#closed.set(id, { how, decision: value })
        cancel?.()
        offCut()
        endPause()
        if (how === 'answered')
          this.#conversation.tell({ type: 'request.answered', requestId: id, kind, decision: value }, turn.topmost.open)
        else this.#conversation.tell({ type: 'request.expired', requestId: id, kind, reason }, turn.topmost.open)
        if (reason === 'interrupted') reject(value)
        else if (value === undefined)
          reject(new TurnbuckleError('request.expired', `Nobody answered the ${kind} request in time.`))
        else resolve(value)
      }
      const pending: Pending = { request, turn, check: options.check, close, expire, cancel: () => cancel?.() }
      this.#pending.set(id, pending)
      waiting.add(id)
      this.#conversation.tell(
        { type: 'request.opened', requestId: id, kind, payload, ...(deadline ? { deadline } : {}) },
        turn.topmost.open,
      )
      options.onOpen?.(id)
    })
  }

  /** The turn ends now: what waits in it or below it is over, with what a process had left open. */
  interrupt(turn: TurnState): void {
    for (const { turn: asking, close } of [...this.#pending.values()])
      if (isWithin(asking, turn)) close('expired', interrupted(), 'interrupted')
    for (const { request, turn: of } of this.#unasked())
      if (of === turn) {
        const { id, kind } = request
        this.#closed.set(id, { how: 'expired', decision: undefined })
        this.#conversation.tell({ type: 'request.expired', requestId: id, kind, reason: 'interrupted' }, turn)
      }
  }

  /** Drops the requests of a parked turn without an event: the process that resumes it asks again. */
  drop(turn: TurnState): void {
    for (const [id, pending] of this.#pending)
      if (pending.turn === turn) {
        this.#pending.delete(id)
        waiting.delete(id)
        pending.cancel()
      }
  }

  /**
   * Throws at once when the answer is refused: late, double, unknown, or malformed. `turnId` limits it to that turn's
   * requests. Of what another process has asked it returns when the log has the answer.
   */
  answer(id: string, answer: unknown, turnId?: string): Promise<void> | undefined {
    const left = this.#pending.has(id) ? undefined : this.#unasked().find(({ request }) => request.id === id)
    if (left) return this.#answerUnasked(left, answer, turnId)
    const pending = this.#of(id, turnId)
    checkAnswer(pending.request, answer, pending.check)
    pending.close('answered', answer)
    return undefined
  }

  /** Ends a request unanswered, as if its time had run out. */
  expire(id: string, turnId: string): void {
    this.#of(id, turnId).expire('nobody')
  }

  #of(id: string, turnId: string | undefined): Pending {
    const pending = this.#pending.get(id)
    if (!pending) throw this.#refusal(id)
    if (turnId !== undefined && pending.request.turnId !== turnId) throw foreign(id)
    return pending
  }

  /** Writes the answer into the log, for a turn that no process works on, or that has not asked again: resuming finds it. */
  #answerUnasked({ request, past, turn }: Unasked, answer: unknown, turnId: string | undefined): Promise<void> {
    const { id } = request
    if (turnId !== undefined && past.turnId !== turnId) throw foreign(id)
    checkAnswer(request, answer)
    if (this.#closed.has(id)) throw this.#refusal(id)
    this.#closed.set(id, { how: 'answered', decision: answer })
    const { outsideTurns } = this.#conversation as { readonly outsideTurns: OutsideTurns }
    const kept = outsideTurns.write(() => this.#keep(request, answer, turn))
    // A request whose answer was not kept is open again, also for callers that do not await.
    kept.catch(() => this.#closed.delete(id))
    return kept
  }

  /** Runs as the log's writer, after reading it again: another process may have answered or gone on since. */
  #keep({ id, kind, turnId }: Request, answer: unknown, asked: TurnState | undefined): void {
    const { running, unfinished } = this.#conversation
    const pending = this.#pending.get(id)
    if (pending) {
      pending.close('answered', answer)
      return
    }
    const turn = asked ?? running.find(other => other.id === turnId)
    const past = turn ? turn.replay.past : unfinished.get(turnId)
    const open = past?.requests.some(request => request.id === id)
    if (!open) throw new TurnbuckleError('request.expired', `The request "${id}" is over: another process went on.`)
    const answered = { type: 'request.answered' as const, requestId: id, kind, decision: answer, turnId }
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
      if (past.expired(id)) return { how: 'expired', decision: undefined }
    }
    return undefined
  }
  #refusal(id: string): TurnbuckleError {
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

/** The clocks of a sub-agent's turn and of all that wait for it. */
function pauseAll(turn: TurnState): () => void {
  const endPause = turn.time.clock.pause()
  const above = turn.parent && pauseAll(turn.parent)
  return () => {
    endPause()
    above?.()
  }
}
