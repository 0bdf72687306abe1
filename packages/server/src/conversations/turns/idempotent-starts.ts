import { createHash } from 'node:crypto'
import { TurnbuckleError } from 'turnbuckle'
import type { TurnTag } from 'turnbuckle/client'

/** The tag of a turn that a call with an idempotency key started. */
export interface KeyTag {
  readonly key: string
  /** A digest of the call's body. */
  readonly body: string
}

const day = 24 * 60 * 60 * 1000

/** The last turn that a key started, for a day. */
export function turnOfKey(
  tags: ReadonlyMap<string, TurnTag>,
  key: string,
): ({ readonly turnId: string } & KeyTag) | undefined {
  for (const [turnId, { tag, at }] of [...tags].reverse()) {
    const { key: known, body } = (tag ?? {}) as Partial<KeyTag>
    if (known === key && typeof body === 'string') return at > Date.now() - day ? { turnId, key, body } : undefined
  }
  return undefined
}

/** Calls with an idempotency key that are being answered: the same key and body get the same answer. */
export class IdempotentStarts<Answer> {
  readonly #starting = new Map<string, { readonly body: string; readonly answer: Promise<Answer> }>()

  get isEmpty(): boolean {
    return this.#starting.size === 0
  }

  /** `known`: the turn that the log has under the key, which `again` answers for. Throws where the body is another. */
  start<Known extends KeyTag>(
    given: { readonly key: string; readonly input: unknown; readonly known: Known | undefined },
    again: (known: Known) => Promise<Answer>,
    begin: (tag: KeyTag) => Promise<Answer>,
  ): Promise<Answer> {
    const { key, input, known } = given
    const body = createHash('sha256').update(JSON.stringify(input)).digest('base64')
    const now = this.#starting.get(key)
    if ((known ?? now) && (known ?? now)?.body !== body) throw keyMismatch()
    if (known) return again(known)
    if (now) return now.answer
    const answer = begin({ key, body }).finally(() => this.#starting.delete(key))
    this.#starting.set(key, { body, answer })
    return answer
  }
}

export const keyMismatch = (): TurnbuckleError =>
  new TurnbuckleError('idempotency.mismatch', 'That Idempotency-Key was used with another body.')
