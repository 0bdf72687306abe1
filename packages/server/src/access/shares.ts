import type { SharedAccess } from 'turnbuckle/client'
import type { ConversationStore } from 'turnbuckle/stores'
import { InTurn } from '../base/in-turn.ts'
import type { Access } from './rights.ts'

const space = 'server.shares'

interface Share {
  readonly conversationId: string
  readonly person: string
  readonly access: SharedAccess
}

const keyOf = (conversationId: string, person: string): string => JSON.stringify([conversationId, person])

/** What the store says a conversation is shared with a person for, in a process that keeps no list of shares. */
export const storedAccess = async (
  store: ConversationStore,
  conversationId: string,
  person: string,
): Promise<SharedAccess | undefined> =>
  ((await store.get(space, keyOf(conversationId, person))) as Share | undefined)?.access

/** The people whom conversations are shared with, to read or to talk in. With a store they outlast the process. */
export class Shares {
  readonly #store: ConversationStore | undefined
  readonly #inTurn = new InTurn()
  /** By conversation, then by person. */
  #all = new Map<string, Map<string, SharedAccess>>()

  constructor(store: ConversationStore | undefined) {
    this.#store = store
  }

  /** The access of a person to a conversation; `undefined` where for them it is not there. */
  accessOf(person: string, { id, owner }: { readonly id: string; readonly owner: string }): Access | undefined {
    return owner === person ? 'own' : this.#all.get(id)?.get(person)
  }
  /** The people whom a conversation is shared with. */
  of(conversationId: string): ReadonlyMap<string, SharedAccess> {
    return this.#all.get(conversationId) ?? new Map()
  }

  set(share: Share): Promise<void> {
    return this.#inTurn.run(async () => {
      this.#put(share)
      await this.#store?.set(space, keyOf(share.conversationId, share.person), share)
    })
  }
  #put({ conversationId, person, access }: Share): void {
    const people = this.#all.get(conversationId) ?? new Map<string, SharedAccess>()
    this.#all.set(conversationId, people.set(person, access))
  }
  /** False where it was not shared with them. */
  remove(conversationId: string, person: string): Promise<boolean> {
    return this.#inTurn.run(async () => {
      if (!this.#all.get(conversationId)?.delete(person)) return false
      await this.#store?.set(space, keyOf(conversationId, person), undefined)
      return true
    })
  }
  /** Forgets the shares of a conversation that is deleted. */
  async forget(conversationId: string): Promise<void> {
    for (const person of [...this.of(conversationId).keys()]) await this.remove(conversationId, person)
  }

  /** The conversation that a place of the store shares with somebody; `undefined` for a place of something else. */
  conversationOf({ space: given, key }: { readonly space: string; readonly key: string }): string | undefined {
    return given === space ? (JSON.parse(key) as readonly [string, string])[0] : undefined
  }

  /** Reads what this server, or another on the same store, has shared. */
  refresh(): Promise<void> {
    return this.#inTurn.run(() => this.#read())
  }
  async #read(): Promise<void> {
    if (!this.#store) return
    const entries = await this.#store.entries(space)
    this.#all = new Map()
    for (const [, share] of entries) this.#put(share as Share)
  }
}
