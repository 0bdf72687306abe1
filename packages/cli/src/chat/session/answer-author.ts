import type { AnswerOptions } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { localPerson } from '../../settings/local-person.ts'

/** The person at this terminal, as the author of answers in the conversation that is open. */
export class AnswerAuthor {
  /** The person whom the conversation belongs to, where the store knows one. */
  #owner: string | undefined

  async read(store: Pick<ConversationStore, 'conversation'>, conversation: string): Promise<void> {
    this.#owner = (await store.conversation(conversation))?.owner
  }

  /** Who writes here talks in the conversation, and owns only one that belongs to nobody. */
  get options(): AnswerOptions {
    const by = localPerson()
    return { by, owner: this.#owner ?? by, talks: true }
  }
}
