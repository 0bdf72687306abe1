import { createHash } from 'node:crypto'
import { TurnbuckleError } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

const day = 24 * 60 * 60 * 1000
const space = 'server.idempotency'

interface Remembered {
  readonly body: string
  readonly answer: unknown
}

/** Does a thing once for a key: the same body gets the same answer for a day, another body is refused. */
export class Once {
  readonly #store: ConversationStore | undefined
  readonly #answers = new Map<
    string,
    { readonly at: number; readonly body: string; readonly answer: Promise<unknown> }
  >()

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  async do<Answer>(key: string, given: unknown, work: () => Promise<Answer>): Promise<Answer> {
    const body = createHash('sha256').update(JSON.stringify(given)).digest('base64')
    this.#forget()
    const known = this.#answers.get(key)
    if (known) return same(known.body, body, known.answer as Promise<Answer>)
    const answer = this.#first(key, body, work)
    this.#answers.set(key, { at: Date.now(), body, answer })
    answer.catch(() => this.#answers.delete(key))
    return answer
  }

  /** What another process has answered counts too. */
  async #first<Answer>(key: string, body: string, work: () => Promise<Answer>): Promise<Answer> {
    const kept = (await this.#store?.get(space, key)) as Remembered | undefined
    if (kept) return same(kept.body, body, kept.answer as Answer)
    const answer = await work()
    await this.#store?.set(space, key, { body, answer } satisfies Remembered, Date.now() + day)
    return answer
  }

  #forget(): void {
    const before = Date.now() - day
    for (const [key, { at }] of this.#answers) {
      if (at > before) break
      this.#answers.delete(key)
    }
  }
}

function same<Value>(known: string, body: string, value: Value): Value {
  if (known === body) return value
  throw new TurnbuckleError('idempotency.mismatch', 'That Idempotency-Key was used with another body.')
}
