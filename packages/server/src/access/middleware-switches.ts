import type { Agent } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

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
  readonly #set = new Map<string, MiddlewareSwitch>()

  constructor(agent: Agent, store: ConversationStore | undefined) {
    this.#agent = agent
    this.#store = store
  }

  /** Sets what the last process had set. A middleware that the agent no longer has is left out, and its switch kept. */
  async restore(): Promise<void> {
    const names = new Set(this.#agent.middleware.map(({ name }) => name))
    for (const [key, kept] of (await this.#store?.entries(space)) ?? []) {
      const one = kept as MiddlewareSwitch
      this.#set.set(key, one)
      if (names.has(one.name)) this.#apply(one)
    }
  }
  /** Switches it, and resolves when the store has that. A switch for a conversation that is as for everyone is taken back. */
  async switch(one: MiddlewareSwitch): Promise<void> {
    this.#apply(one)
    const forAll = this.#agent.middleware.find(({ name }) => name === one.name)?.enabled
    await this.#keep(one, one.conversationId !== undefined && one.enabled === forAll ? undefined : one)
  }
  /** The last switch of a middleware for everyone, or for one conversation. */
  last(place: Place): MiddlewareSwitch | undefined {
    return this.#set.get(keyOf(place))
  }
  /** Forgets the switches of a conversation that is deleted. */
  async forget(conversationId: string): Promise<void> {
    for (const one of [...this.#set.values()])
      if (one.conversationId === conversationId) await this.#keep(one, undefined)
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
