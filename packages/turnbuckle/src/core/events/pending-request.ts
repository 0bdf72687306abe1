import { TurnbuckleError } from '../base/errors.ts'
import type { TurnState } from '../types/turn-state.ts'
import { type AskOptions, type PermissionAnswer, type Request, readFallback, termsOf } from './request.ts'

/** The end of a request: an answer with its author, or a reason why there is none. */
export type RequestEnd =
  | { readonly how: 'answered'; readonly decision: unknown; readonly by?: string | undefined }
  | { readonly how: 'expired'; readonly reason: string; readonly decision?: unknown }

interface Waiter {
  readonly request: Request
  readonly turn: TurnState
  readonly options: AskOptions
  /** Called once, before the end is told. */
  readonly onEnd: (end: RequestEnd) => void
}

/** A request whose asker waits in this process. The turn's clock stands still until it has ended. */
export class PendingRequest {
  readonly request: Request
  readonly turn: TurnState
  readonly options: AskOptions
  readonly answer: Promise<unknown>
  readonly #onEnd: Waiter['onEnd']
  readonly #release: readonly (() => void)[]
  #cancelDeadline: () => void = () => {}
  #resolve: (answer: unknown) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor({ request, turn, options, onEnd }: Waiter) {
    this.request = request
    this.turn = turn
    this.options = options
    this.#onEnd = onEnd
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const endPause = pauseAll(turn)
    this.#release = [turn.time.waits.on(error => this.interrupt(error)), endPause]
  }

  /** Tells the request, and expires it after `ms`. */
  open(ms: number): void {
    const { request, turn, options } = this
    const { id: requestId, kind, payload } = request
    const { conversation } = turn.topmost
    if (ms !== Infinity) this.#cancelDeadline = conversation.clock.after(ms, () => this.expire('deadline'))
    conversation.tell({ type: 'request.opened', requestId, kind, payload, ...termsOf(request) }, turn.topmost.open)
    options.onOpen?.(requestId)
  }

  take(decision: unknown, by: string | undefined): void {
    this.#end({ how: 'answered', decision, by })
    this.#resolve(answerBy(this.request.kind, decision, by))
  }
  /** Ends the request unanswered: its fallback counts. */
  expire(reason: string): void {
    const { kind } = this.request
    const { fallback } = this.options
    const decision = fallback === undefined ? undefined : readFallback(kind, fallback)
    this.#end({ how: 'expired', reason, decision })
    if (decision === undefined)
      this.#reject(new TurnbuckleError('request.expired', `Nobody answered the ${kind} request in time.`))
    else this.#resolve(decision)
  }
  interrupt(error: unknown): void {
    this.#end({ how: 'expired', reason: 'interrupted' })
    this.#reject(error)
  }
  /** Stops the deadline of a request that a parked turn leaves open. */
  leave(): void {
    this.#cancelDeadline()
  }

  #end(end: RequestEnd): void {
    const { request, turn } = this
    const { id: requestId, kind } = request
    this.#onEnd(end)
    this.#cancelDeadline()
    for (const release of this.#release) release()
    const { conversation, open } = turn.topmost
    if (end.how === 'expired') conversation.tell({ type: 'request.expired', requestId, kind, reason: end.reason }, open)
    else conversation.tell({ type: 'request.answered', requestId, kind, ...authored(end) }, open)
  }
}

/** The decision of a `request.answered`, with its author where that is known. */
export const authored = ({ decision, by }: { readonly decision: unknown; readonly by?: string | undefined }) => ({
  decision,
  ...(by === undefined ? {} : { by }),
})

/** The answer as its asker is given it: a permission says who gave it. */
export const answerBy = (kind: string, answer: unknown, by: string | undefined): unknown =>
  kind === 'permission' && by !== undefined ? { ...(answer as PermissionAnswer), by } : answer

/** Stops the clocks of a sub-agent's turn and of all that wait for it. Returns how to let them go on. */
export function pauseAll(turn: TurnState): () => void {
  const endPause = turn.time.clock.pause()
  const above = turn.parent && pauseAll(turn.parent)
  return () => {
    endPause()
    above?.()
  }
}
