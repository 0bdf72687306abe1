import { TurnbuckleError } from '../../core/base/errors.ts'
import { problemByAsker } from '../../core/events/check-answer.ts'
import { pauseAll } from '../../core/events/pending-request.ts'
import type { AnswerOptions, AskOptions, Request } from '../../core/events/request.ts'
import type { Requests } from '../../core/types/conversation-core.ts'
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

  async ask(turn: TurnState, id: string, kind: string, payload: unknown, options: AskOptions): Promise<unknown> {
    this.#onAsk()
    const { timeout = Infinity, schema, to, voted } = options
    const openedAt = turn.time.tick()
    const deadline = timeout === Infinity ? undefined : openedAt + timeout
    const request: Request = { id, kind, payload, turnId: turn.topmost.id, openedAt, deadline, schema, to, voted }
    this.#open.set(id, { request, turn })
    const goOn = pauseAll(turn)
    try {
      return await turn.time.waits.race(this.#answerOf(request, options))
    } finally {
      this.#open.delete(id)
      goOn()
    }
  }
  /** An answer that does not pass the asker's own check is asked for again. */
  async #answerOf({ id: first, kind, payload }: Request, asked: AskOptions): Promise<unknown> {
    const { check, onOpen, ...options } = asked
    for (let id = first; ; id = `${id}.again`) {
      const answer = await this.#untilAnswered({ id, kind, payload, options: plain(options) }, onOpen)
      if (problemByAsker(answer, check) === undefined) return answer
    }
  }
  async #untilAnswered(asked: Asked, onOpen: AskOptions['onOpen']): Promise<unknown> {
    for (let isFirst = true; ; isFirst = false) {
      const answer = (await this.#line.send({ type: 'ask', ...asked })) as AskAnswer
      if (isFirst) onOpen?.(asked.id)
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

interface Asked {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly options: PlainAskOptions
}

/** JSON has no Infinity; a log's question has no deadline unless it is given one. */
const plain = ({ timeout, ...options }: PlainAskOptions): PlainAskOptions =>
  timeout === undefined || timeout === Infinity ? options : { ...options, timeout }
