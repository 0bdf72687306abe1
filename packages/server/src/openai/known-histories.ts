import { createHash } from 'node:crypto'
import type { NewMessage } from 'turnbuckle'

/** The end of a turn in a conversation: what a history that a client sends again was told by. */
export interface KnownHistory {
  readonly conversationId: string
  readonly turnId: string
}

/** Histories that are remembered; the oldest go first. */
const most = 10_000

/**
 * Histories by what clients were told. A client of OpenAI's sends the whole history with each question: one that is known goes on in
 * its conversation. The key has the person, so nobody goes on in somebody else's.
 */
export class KnownHistories {
  readonly #known = new Map<string, KnownHistory>()

  find(person: string, history: readonly NewMessage[]): KnownHistory | undefined {
    return this.#known.get(keyOf(person, history))
  }
  remember(person: string, history: readonly NewMessage[], known: KnownHistory): void {
    const key = keyOf(person, history)
    this.#known.delete(key)
    this.#known.set(key, known)
    if (this.#known.size > most) this.#known.delete(this.#known.keys().next().value ?? '')
  }
}

function keyOf(person: string, history: readonly NewMessage[]): string {
  const said = history.map(({ role, content }) => [role, content])
  return createHash('sha256')
    .update(JSON.stringify([person, said]))
    .digest('base64')
}
