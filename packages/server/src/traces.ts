import type { WireSpan } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { jsonOf } from './wire.ts'

const space = 'server.traces'
const month = 30 * 24 * 60 * 60 * 1000

/** The timelines of turns that have ended, kept for a month. */
export class Traces {
  readonly #store: ConversationStore
  /** Turns whose conversation was deleted while they ran: their timeline, which ends later, is not kept. */
  readonly #unwanted = new Set<string>()

  constructor(store: ConversationStore) {
    this.#store = store
  }

  async keep(turnId: string, spans: readonly WireSpan[]): Promise<void> {
    if (this.#unwanted.delete(turnId)) return
    await this.#store.set(space, turnId, JSON.parse(jsonOf(spans)), Date.now() + month)
  }
  async of(turnId: string): Promise<readonly WireSpan[]> {
    return ((await this.#store.get(space, turnId)) as readonly WireSpan[] | undefined) ?? []
  }
  async erase(turnId: string, running: boolean): Promise<void> {
    if (running) this.#unwanted.add(turnId)
    await this.#store.set(space, turnId, undefined)
  }
}
