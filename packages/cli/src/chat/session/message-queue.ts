import type { ShownChat } from './shown-chat.ts'

const queueSpace = 'queue'

/** Messages that wait for the end of the turn, kept in the store by the id of their conversation. */
export class MessageQueue {
  readonly #chat: ShownChat
  #messages: readonly string[] = []

  constructor(chat: ShownChat) {
    this.#chat = chat
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0
  }
  add(conversationId: string, text: string): void {
    this.#change(conversationId, [...this.#messages, text])
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

  /** The queue of a conversation that is opened; of a new one it is empty. */
  async read(conversationId: string): Promise<void> {
    const kept = await this.#chat.composed.store.get(queueSpace, conversationId)
    this.#messages = Array.isArray(kept) ? kept : []
    this.#chat.set({ queue: this.#messages })
  }
  clear(): void {
    this.#messages = []
    this.#chat.set({ queue: [] })
  }

  /** Order: kept in the store, then shown: a message that is seen to wait for the end of the turn survives the process. */
  #change(conversationId: string, queue: readonly string[]): void {
    if (queue.length < this.#messages.length) this.#chat.set({ queue })
    this.#messages = queue
    const keep = async () => this.#chat.composed.store.set(queueSpace, conversationId, queue)
    const show = () => {
      if (this.#messages === queue) this.#chat.set({ queue })
    }
    keep().then(show, show)
  }
}
