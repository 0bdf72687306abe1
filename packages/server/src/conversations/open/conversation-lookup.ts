import type { Event } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import type { OpenConversation } from './open-conversation.ts'

/** Which conversation a turn or a request belongs to: one that is open, or the id of one in the store. */
export class ConversationLookup {
  readonly #store: ConversationStore | undefined
  readonly #byTurn = new Map<string, OpenConversation>()
  readonly #byRequest = new Map<string, OpenConversation>()

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  note(conversation: OpenConversation, event: Event): void {
    if (event.type === 'turn.started' && event.turnId) this.#byTurn.set(event.turnId, conversation)
    if (event.type === 'request.opened') this.#byRequest.set(event.requestId, conversation)
  }
  /** Another conversation that is open under the same id stays. */
  forget(conversation: OpenConversation): void {
    const forgetIn = (map: Map<string, OpenConversation>, id: string) => {
      if (map.get(id) === conversation) map.delete(id)
    }
    for (const id of conversation.turnIds) forgetIn(this.#byTurn, id)
    for (const id of conversation.requests.ids) forgetIn(this.#byRequest, id)
  }

  ofTurn(turnId: string): OpenConversation | undefined {
    return this.#byTurn.get(turnId)
  }
  ofRequest(requestId: string): OpenConversation | undefined {
    return this.#byRequest.get(requestId)
  }
  async storedOfTurn(turnId: string): Promise<string | undefined> {
    const [row] = (await this.#store?.turns({ id: turnId })) ?? []
    return row?.conversation
  }
  async storedOfRequest(id: string): Promise<string | undefined> {
    const [open] = (await this.#store?.requests({ id })) ?? []
    const [row] = open ? [open] : ((await this.#store?.requests({ id, closed: true })) ?? [])
    return row?.conversation
  }
  /** Ids of the conversations in the store that have open requests; `undefined` without a store. */
  async storedWithRequests(): Promise<readonly string[] | undefined> {
    return (await this.#store?.requests())?.map(({ conversation }) => conversation)
  }
}
