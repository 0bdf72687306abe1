import type { ConversationStore } from 'turnbuckle/stores'
import { asOnlyWriter } from './as-only-writer.ts'
import { isAlive, nameQueueOwner } from './queue-owner.ts'
import type { ShownChat } from './shown-chat.ts'

const queueSpace = 'queue'

type KeptQueue = readonly [key: string, texts: readonly string[]]

/** Messages that wait for the end of the turn, kept in the store by the ids of their conversation and of this chat: each chat sends its own. */
export class MessageQueue {
  readonly #chat: ShownChat
  readonly #owner: string
  #messages: readonly string[] = []

  constructor(chat: ShownChat, owner: string = nameQueueOwner()) {
    this.#chat = chat
    this.#owner = owner
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0
  }
  get length(): number {
    return this.#messages.length
  }
  add(conversationId: string, text: string): void {
    this.#change(conversationId, [...this.#messages, text])
  }
  /** Puts messages before the others: they were sent, and not taken. */
  addFirst(conversationId: string, ...texts: readonly string[]): void {
    this.#change(conversationId, [...texts, ...this.#messages])
  }
  /** Takes the first message out of the queue, to send it. */
  takeFirst(conversationId: string): string | undefined {
    const [first, ...rest] = this.#messages
    if (first !== undefined) this.#change(conversationId, rest)
    return first
  }
  /** Takes the last message out of the queue, to write it differently or not at all. */
  takeLast(conversationId: string): string | undefined {
    const last = this.#messages.at(-1)
    if (last !== undefined) this.#change(conversationId, this.#messages.slice(0, -1))
    return last
  }
  /** Takes so many messages, or all, out of the queue, to write them differently or not at all. */
  take(conversationId: string, count: number = this.#messages.length): readonly string[] {
    const taken = this.#messages.slice(0, count)
    if (taken.length) this.#change(conversationId, this.#messages.slice(count))
    return taken
  }
  /** Another conversation is opened: what waits for this one stays in the store. */
  clear(): void {
    this.#messages = []
    this.#chat.set({ queue: [] })
  }

  /** Takes what waits for a conversation that no process works on: of this chat, and of processes that are gone. It comes before what waits here. */
  async takeOver(conversationId: string): Promise<void> {
    const { store } = this.#chat.composed
    const own = keyOf(conversationId, this.#owner)
    const isLeft = ([key]: KeptQueue) => key !== own && !isAlive(key.slice(conversationId.length + 1))
    const kept = await entriesOf(store, conversationId)
    const mine = kept.find(([key]) => key === own)?.[1] ?? []
    if (this.isEmpty && mine.length) await this.#change(conversationId, mine)
    if (!kept.some(isLeft)) return
    // Of two chats that want what a third has left, one gets it.
    await asOnlyWriter(store, { conversation: conversationId, owner: this.#owner }, async () => {
      const left = (await entriesOf(store, conversationId)).filter(isLeft)
      const texts = left.flatMap(([, each]) => each)
      if (texts.length) await this.#change(conversationId, [...texts, ...this.#messages])
      for (const [key] of left) await store.set(queueSpace, key, undefined)
    })
  }

  /** Order: kept in the store, then shown: a message that is seen to wait for the end of the turn survives the process. */
  #change(conversationId: string, queue: readonly string[]): Promise<void> {
    if (queue.length < this.#messages.length) this.#chat.set({ queue })
    this.#messages = queue
    const kept = queue.length ? queue : undefined
    const keep = async () => this.#chat.composed.store.set(queueSpace, keyOf(conversationId, this.#owner), kept)
    const show = () => {
      if (this.#messages === queue) this.#chat.set({ queue })
    }
    return keep().then(show, show)
  }
}

const keyOf = (conversationId: string, owner: string): string => `${conversationId}/${owner}`

/** The queues of a conversation. The version before kept one for all chats, without an owner. */
async function entriesOf(store: ConversationStore, conversationId: string): Promise<readonly KeptQueue[]> {
  const entries = await store.entries(queueSpace)
  const own = entries.filter(([key]) => key === conversationId || key.startsWith(`${conversationId}/`))
  return own.map(([key, texts]) => [key, Array.isArray(texts) ? texts.map(String) : []])
}

/** Nothing that waited for a conversation is left. */
export async function eraseQueues(store: ConversationStore, conversationId: string): Promise<void> {
  for (const [key] of await entriesOf(store, conversationId)) await store.set(queueSpace, key, undefined)
}
