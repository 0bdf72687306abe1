import type { WireSpan } from 'turnbuckle/client'
import { packTrace, unpackTrace } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'

const space = 'server.traces'
const month = 30 * 24 * 60 * 60 * 1000

/** The traces of turns that have ended, kept in the store for a month. */
export class StoredTraces {
  readonly #store: ConversationStore
  /** Turns whose conversation was deleted while they ran: their trace, which ends later, is not kept. */
  readonly #unwanted = new Set<string>()
  readonly #keeping = new Map<string, Promise<void>>()

  constructor(store: ConversationStore) {
    this.#store = store
  }

  async keep(turnId: string, spans: readonly WireSpan[]): Promise<void> {
    if (this.#unwanted.delete(turnId)) return
    // A trace is a convenience: it goes along with the next commit, and no disk is waited for.
    const keeping = Promise.resolve(this.#store.set(space, turnId, packTrace(spans), Date.now() + month, true))
    this.#keeping.set(turnId, keeping)
    try {
      await keeping
    } finally {
      this.#keeping.delete(turnId)
    }
  }
  async of(turnId: string): Promise<readonly WireSpan[]> {
    return unpackTrace(await this.#store.get(space, turnId))
  }
  async erase(turnId: string, running: boolean): Promise<void> {
    const keeping = this.#keeping.get(turnId)
    if (running && !keeping) this.#unwanted.add(turnId)
    // A trace that waits for the next commit is written with this one, and deleted by it.
    await this.#store.set(space, turnId, undefined)
    if (!keeping) return
    // A store may do two writes at once: the trace is deleted again after it was kept.
    await keeping.catch(() => {})
    await this.#store.set(space, turnId, undefined)
  }
}
