import { createHash } from 'node:crypto'
import { TurnbuckleError } from 'turnbuckle'
import type { Tag } from './turns.ts'

/** Calls with an idempotency key that are being answered: the same key and body get the same answer. */
export class KeyedStarts<Answer> {
  readonly #starting = new Map<string, { readonly body: string; readonly answer: Promise<Answer> }>()

  get none(): boolean {
    return this.#starting.size === 0
  }

  /** `known` is what the log has under the key; `again` answers for that. */
  start<Known extends Tag>(
    given: { readonly key: string; readonly input: unknown; readonly known: Known | undefined },
    again: (known: Known) => Promise<Answer>,
    begin: (tag: Tag) => Promise<Answer>,
  ): Promise<Answer> {
    const { key, input, known } = given
    const body = createHash('sha256').update(JSON.stringify(input)).digest('base64')
    const now = this.#starting.get(key)
    if ((known ?? now) && (known ?? now)?.body !== body) throw mismatch()
    if (known) return again(known)
    if (now) return now.answer
    const answer = begin({ key, body }).finally(() => this.#starting.delete(key))
    this.#starting.set(key, { body, answer })
    return answer
  }
}

export const mismatch = (): TurnbuckleError =>
  new TurnbuckleError('idempotency.mismatch', 'That Idempotency-Key was used with another body.')
