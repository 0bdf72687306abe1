import type { ShownChat } from './shown-chat.ts'

const queueSpace = 'queue'

/** Messages that wait for the end of the turn, kept in the store by the id of their conversation. */
export class MessageQueue {
  readonly #chat: ShownChat
  #messages: readonly string[] = []
  /** Messages of another process, which works on the conversation and sends them itself: kept with those of this chat. */
  #others: readonly string[] = []

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
    const kept = await this.#kept(conversationId)
    this.#others = []
    this.#messages = kept
    this.#chat.set({ queue: this.#messages })
  }
  clear(): void {
    this.#others = []
    this.#messages = []
    this.#chat.set({ queue: [] })
  }

  /** Another process works on the conversation that was read: what waits there is not this chat's to send. */
  leaveToOther(): void {
    const others = this.#messages
    this.clear()
    this.#others = others
  }
  /** The other process has ended its turn: it sends its messages, or has sent them. */
  forgetOther(): void {
    this.#others = []
  }
  /** The other process has left the turn in the middle: its messages are this chat's to send now, before its own. */
  async takeOver(conversationId: string): Promise<void> {
    const kept = await this.#kept(conversationId)
    this.#others = []
    const others = kept.filter(text => !this.#messages.includes(text))
    if (others.length) this.#change(conversationId, [...others, ...this.#messages])
  }

  async #kept(conversationId: string): Promise<readonly string[]> {
    const kept = await this.#chat.composed.store.get(queueSpace, conversationId)
    return Array.isArray(kept) ? kept : []
  }
  /** Order: kept in the store, then shown: a message that is seen to wait for the end of the turn survives the process. */
  #change(conversationId: string, queue: readonly string[]): void {
    if (queue.length < this.#messages.length) this.#chat.set({ queue })
    this.#messages = queue
    const keep = async () => this.#chat.composed.store.set(queueSpace, conversationId, [...this.#others, ...queue])
    const show = () => {
      if (this.#messages === queue) this.#chat.set({ queue })
    }
    keep().then(show, show)
  }
}
