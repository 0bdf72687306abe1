import { interrupted, TurnbuckleError } from '../../core/base/errors.ts'
import { problemByAsker } from '../../core/events/check-answer.ts'
import { pauseAll } from '../../core/events/pending-request.ts'
import { type AnswerOptions, type AskOptions, type Request, readFallback } from '../../core/events/request.ts'
import type { Asked, Requests } from '../../core/types/conversation-core.ts'
import type { TurnState } from '../../core/types/turn-state.ts'
import type { CallerLine } from './caller-line.ts'
import type { AskAnswer, PlainAskOptions } from './caller-messages.ts'

interface Relayed {
  readonly request: Request
  readonly turn: TurnState
}

/** The questions of a sub-agent whose caller is in another process: they are opened there, and the caller's log keeps them. */
export class RelayedRequests implements Requests {
  readonly #line: CallerLine
  readonly #onAsk: () => void
  readonly #open = new Map<string, Relayed>()

  constructor(line: CallerLine, onAsk: () => void) {
    this.#line = line
    this.#onAsk = onAsk
  }

  get pending(): readonly Request[] {
    return Array.from(this.#open.values(), ({ request }) => request)
  }

  /**
   * An answer that does not pass the asker's own check is asked for again, and the question says why. The fallback stays with the asker,
   * so that it is not taken for an answer.
   */
  ask(turn: TurnState, id: string, kind: string, payload: unknown, options: Asked): Promise<unknown> {
    this.#onAsk()
    return this.relay(turn, { id, kind, payload }, options)
  }
  /** As `ask`, for a sub-agent of the turn that asks elsewhere: no hook here has asked. */
  async relay(turn: TurnState, { id, kind, payload }: Question, options: Asked): Promise<unknown> {
    const goOn = pauseAll(turn)
    const wasInterrupted = turn.interrupted
    let { again } = options
    try {
      for (let requestId = id; ; requestId = `${requestId}.again`) {
        const answer = await this.#askOnce(turn, { id: requestId, kind, payload }, { ...options, again })
        if (answer === nobodyAnswered) return readFallback(kind, options.fallback)
        const problem = problemByAsker(answer, options.check)
        if (problem === undefined) return answer
        if (turn.interrupted && !wasInterrupted) throw interrupted()
        again = { requestId, problem }
      }
    } finally {
      goOn()
    }
  }
  async #askOnce(turn: TurnState, question: Question, asked: Asked): Promise<unknown> {
    const { check: _, onOpen, fallback, ...options } = asked
    const { timeout = Infinity, schema, to, voted, again } = options
    const openedAt = turn.time.tick()
    const deadline = timeout === Infinity ? undefined : openedAt + timeout
    const request = { ...question, turnId: turn.topmost.id, openedAt, deadline, schema, to, voted, again }
    this.#open.set(question.id, { request, turn })
    try {
      return await turn.time.waits.race(this.#untilAnswered({ ...question, options: plain(options) }, onOpen))
    } catch (error) {
      if (fallback !== undefined && isExpired(error)) return nobodyAnswered
      throw error
    } finally {
      this.#open.delete(question.id)
    }
  }
  async #untilAnswered(asked: RelayedQuestion, onOpen: AskOptions['onOpen']): Promise<unknown> {
    for (let isTold = false; ; ) {
      const answer = (await this.#line.send({ type: 'ask', ...asked })) as AskAnswer
      if (answer.state === 'open' && !isTold) {
        isTold = true
        onOpen?.(asked.id)
      }
      if (answer.state === 'answered') return answer.answer
      if (answer.state === 'failed') throw new TurnbuckleError(answer.code, answer.message)
    }
  }

  /** The turn ends: nobody waits for its questions any more. */
  interrupt(turn: TurnState): void {
    for (const [id, { turn: asking }] of this.#open) if (asking === turn) this.expire(id)
  }
  /** The turn is parked, and asks again where it is resumed. */
  drop(turn: TurnState): void {
    for (const [id, { turn: asking }] of this.#open) if (asking === turn) this.#open.delete(id)
  }
  async answer(id: string, answer: unknown, options: AnswerOptions = {}): Promise<void> {
    await this.#line.send({ type: 'answer', id, answer, options })
  }
  expire(id: string): void {
    this.#line.send({ type: 'expire', id }).catch(() => {})
  }
}

/** In place of an answer: the fallback counts. */
const nobodyAnswered = Symbol('nobody answered')

const isExpired = (error: unknown): boolean => error instanceof TurnbuckleError && error.code === 'request.expired'

export type Question = Pick<Request, 'id' | 'kind' | 'payload'>
interface RelayedQuestion extends Question {
  readonly options: PlainAskOptions
}

/** JSON has no Infinity; a log's question has no deadline unless it is given one. */
const plain = ({ timeout, ...options }: PlainAskOptions): PlainAskOptions =>
  timeout === undefined || timeout === Infinity ? options : { ...options, timeout }
