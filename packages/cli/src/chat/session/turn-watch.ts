import type { Conversation, Event } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

/** Milliseconds between two looks at a conversation at rest. */
const lookEvery = 1000

export interface WatchedChat {
  /** The conversation to look at; undefined while a turn is shown, or a question is open that it would come between. */
  atRest(): string | undefined
  /** The log has events that are not known. */
  grown(): Promise<unknown>
  /** Everything is known, and no process works on the conversation. */
  free(): void
}

/** Notices what another process adds to the conversation of a chat at rest. */
export class TurnWatch {
  readonly #store: Pick<ConversationStore, 'conversation' | 'events'>
  readonly #chat: WatchedChat
  /** The number of the last event that is known. */
  #after = 0
  #isLooking = false

  constructor(store: Pick<ConversationStore, 'conversation' | 'events'>, chat: WatchedChat) {
    this.#store = store
    this.#chat = chat
  }

  begin(): void {
    setInterval(() => void this.look(), lookEvery).unref()
  }
  /** A conversation was opened, and is shown as the store has it. */
  async open({ id, head }: Pick<Conversation, 'id' | 'head'>): Promise<void> {
    const row = head === undefined ? undefined : await this.#store.conversation(id)
    this.#after = row?.seq ?? 0
  }
  /** An event is known, and those before it. */
  known(seq: number | undefined): void {
    this.#after = Math.max(this.#after, seq ?? 0)
  }

  /** Events that are not known. */
  async unknown(conversation: string): Promise<readonly Event[]> {
    return this.#store.events(conversation, this.#after)
  }

  async look(): Promise<void> {
    const conversation = this.#chat.atRest()
    if (conversation === undefined || this.#isLooking) return
    this.#isLooking = true
    try {
      const row = await this.#store.conversation(conversation)
      if (!row || this.#chat.atRest() !== conversation) return
      if (row.seq > this.#after) await this.#chat.grown()
      else if (!row.held) this.#chat.free()
    } catch {
      // A store that fails now may answer at the next look.
    } finally {
      this.#isLooking = false
    }
  }
}
