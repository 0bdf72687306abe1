import { isDeepStrictEqual } from 'node:util'
import type { Conversation } from 'turnbuckle'
import type { OtherWriter } from '../elsewhere/other-writer.ts'
import type { FollowedLog } from './followed-log.ts'
import { closedError, type LoggedRequests } from './logged-requests.ts'

type OwnEvent = Parameters<Conversation['emit']>[0]

export interface PersonAnswering {
  readonly by: string
  readonly talks: boolean
  readonly owner: string
}

/**
 * Writes to a conversation's log, beside its turns: by the process that works on a turn of it where that is another, or else here. Each
 * resolves when the log has it.
 */
export class LogWrites {
  readonly #log: FollowedLog
  readonly #otherWriter: OtherWriter

  constructor(log: FollowedLog, otherWriter: OtherWriter) {
    this.#log = log
    this.#otherWriter = otherWriter
  }
  get #handle(): Conversation {
    return this.#log.head.handle
  }

  rename(title: string): Promise<void> {
    return this.#log.untilLogged('title.changed', async () => {
      if (await this.#otherWriter.ask({ type: 'rename', title })) return
      this.#handle.title = title
      await this.#handle.kept()
    })
  }
  emit(event: OwnEvent): Promise<void> {
    return this.#log.untilLogged(event.type, async () => {
      if (!(await this.#otherWriter.ask({ type: 'emit', event }))) await this.#handle.emit(event)
    })
  }
  async moveHead(to: string | null): Promise<void> {
    const { seq } = this.#log
    if (!(await this.#otherWriter.ask({ type: 'moveHead', to }))) return this.moveHeadHere(to)
    await this.#log.until(() => this.#log.feed.since(seq).some(({ type }) => type === 'head.moved'))
  }
  /** Moves the head in this process. */
  moveHeadHere(to: string | null): Promise<void> {
    return this.#log.head.moveTo(to, work => this.#log.untilLogged('head.moved', work))
  }
  /** Answers a request. Throws `request.answered` where another process was first, with another answer. */
  async answer(requests: LoggedRequests, requestId: string, answer: unknown, options: PersonAnswering): Promise<void> {
    requests.checkOpen(requestId)
    if (!(await this.#otherWriter.ask({ type: 'answer', requestId, answer, options })))
      await this.#handle.answer(requestId, answer, options)
    await this.#log.until(() => requests.closed(requestId) !== undefined)
    const kept = requests.closed(requestId)
    const isOurs = kept?.by === options.by && isDeepStrictEqual(withoutReason(kept.decision), withoutReason(answer))
    if (kept && !isOurs) throw closedError(kept)
  }
}

/** An answer but for its reason, which redactors may have changed in the log. */
function withoutReason(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('reason' in answer)) return answer
  const { reason: _, ...rest } = answer
  return rest
}
