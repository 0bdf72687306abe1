import type { ConversationSummary } from 'turnbuckle/client'

/** What happens in the list of conversations. */
export type Change =
  | { readonly type: 'conversation.changed'; readonly conversation: ConversationSummary }
  | { readonly type: 'conversation.deleted'; readonly conversationId: string }

/** Those who follow the list: each is told of their own conversations. */
export class Watchers {
  readonly #watchers = new Set<{ readonly person: string; tell(change: Change): void }>()

  /** Returns how to stop. */
  add(person: string, tell: (change: Change) => void): () => void {
    const watcher = { person, tell }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  get none(): boolean {
    return this.#watchers.size === 0
  }
  tell(person: string, change: Change): void {
    for (const watcher of this.#watchers) if (watcher.person === person) watcher.tell(change)
  }
}
