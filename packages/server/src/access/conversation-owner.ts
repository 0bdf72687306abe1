import type { ConversationStore } from 'turnbuckle/stores'

/** The space of the store in which the server's index of conversations is. */
export const indexSpace = 'server.conversations'

/** The owner of a conversation that no server made, where the store names none: the one person of a terminal. */
export const defaultOwner = 'me'

/** The person that a conversation of the server's index belongs to. */
export async function conversationOwner(store: ConversationStore, conversationId: string): Promise<string> {
  const entry = (await store.get(indexSpace, conversationId)) as { readonly owner?: string } | undefined
  return entry?.owner ?? defaultOwner
}
