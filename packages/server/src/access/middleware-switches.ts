import { isDeepStrictEqual } from 'node:util'
import type { Agent } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { InTurn } from '../base/in-turn.ts'

const space = 'server.middleware'

/** A middleware as somebody has switched it: for one conversation, or, without one, for everyone. */
export interface MiddlewareSwitch {
  readonly name: string
  readonly enabled: boolean
  readonly conversationId?: string
  readonly by: string
  readonly at: number
}

type Place = Pick<MiddlewareSwitch, 'name' | 'conversationId'>

const keyOf = ({ name, conversationId }: Place): string => JSON.stringify([name, conversationId ?? null])

/** The switches that people have set. With a store they survive a restart as they were set. */
export class MiddlewareSwitches {
  readonly #agent: Agent
  readonly #store: ConversationStore | undefined
  readonly #inTurn = new InTurn()
  #set: Map<string, MiddlewareSwitch> = new Map()

  constructor(agent: Agent, store: ConversationStore | undefined) {
    this.#agent = agent
    this.#store = store
  }

  /**
   * Sets what the last process, or another server on the store, has set since the last look. A middleware that the agent does not have is left
   * out, and its switch kept. True where something has changed.
   */
  refresh(): Promise<boolean> {
    return this.#inTurn.run(() => this.#read())
  }
  async #read(): Promise<boolean> {
    if (!this.#store) return false
    const entries = (await this.#store.entries(space)) as readonly (readonly [string, MiddlewareSwitch])[]
    const names = new Set(this.#agent.middleware.map(({ name }) => name))
    const kept = new Map(entries)
    const changed = entries.filter(([key, one]) => !isDeepStrictEqual(this.#set.get(key), one)).map(([, one]) => one)
    const takenBack = [...this.#set].filter(([key]) => !kept.has(key)).map(([, one]) => one)
    this.#set = kept
    for (const one of changed) if (names.has(one.name)) this.#apply(one)
    for (const one of takenBack) if (names.has(one.name)) this.#apply({ ...one, enabled: this.#forAll(one) })
    return changed.length + takenBack.length > 0
  }
  /** True where a middleware is on in conversations that have no switch of their own. */
  #forAll({ name }: Place): boolean {
    return this.#agent.middleware.find(one => one.name === name)?.enabled ?? false
  }
  /** Switches it, and resolves when the store has that. A switch for a conversation that is as for everyone is taken back. */
  switch(one: MiddlewareSwitch): Promise<void> {
    return this.#inTurn.run(() => {
      this.#apply(one)
      const isAsForAll = one.conversationId !== undefined && one.enabled === this.#forAll(one)
      return this.#keep(one, isAsForAll ? undefined : one)
    })
  }
  /** The last switch of a middleware for everyone, or for one conversation. */
  last(place: Place): MiddlewareSwitch | undefined {
    return this.#set.get(keyOf(place))
  }
  /** Forgets the switches of a conversation that is deleted. */
  forget(conversationId: string): Promise<void> {
    return this.#inTurn.run(async () => {
      for (const one of [...this.#set.values()])
        if (one.conversationId === conversationId) await this.#keep(one, undefined)
    })
  }

  #apply({ name, enabled, conversationId }: MiddlewareSwitch): void {
    if (enabled) this.#agent.enable(name, conversationId)
    else this.#agent.disable(name, conversationId)
  }
  async #keep(place: Place, one: MiddlewareSwitch | undefined): Promise<void> {
    if (one) this.#set.set(keyOf(place), one)
    else this.#set.delete(keyOf(place))
    await this.#store?.set(space, keyOf(place), one)
  }
}
