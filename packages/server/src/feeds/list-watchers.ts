import type { ConversationSummary } from 'turnbuckle/client'

/** News of the list of conversations. */
export type ListChange =
  | { readonly type: 'conversation.changed'; readonly conversation: ConversationSummary }
  | { readonly type: 'conversation.deleted'; readonly conversationId: string }
  /** A question to this person, in somebody else's conversation, was opened or closed. */
  | { readonly type: 'requests.changed' }
  /** A middleware was switched, for everyone or in a conversation of this person. */
  | { readonly type: 'switches.changed' }

/** Followers of the list of conversations: each hears of its person's conversations alone. */
export class ListWatchers {
  readonly #watchers = new Set<{ readonly person: string; tell(change: ListChange): void }>()

  /** Returns a function that ends it. */
  add(person: string, tell: (change: ListChange) => void): () => void {
    const watcher = { person, tell }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  get isEmpty(): boolean {
    return this.#watchers.size === 0
  }
  tell(person: string, change: ListChange): void {
    for (const watcher of this.#watchers) if (watcher.person === person) watcher.tell(change)
  }
  tellAll(change: ListChange): void {
    for (const watcher of this.#watchers) watcher.tell(change)
  }
}
