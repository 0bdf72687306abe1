import type { ConversationStore } from 'turnbuckle/stores'

/** The space of the store in which the server's index of conversations is. */
export const indexSpace = 'server.conversations'

/** The owner of a conversation that no server made, where the store names none: the one person of a terminal. */
export const defaultOwner = 'me'

/** The person that a conversation belongs to: that of its index entry, or whom a sub-agent works for in the end. */
export async function conversationOwner(store: ConversationStore, conversationId: string): Promise<string> {
  const entry = (await store.get(indexSpace, conversationId)) as { readonly owner?: string } | undefined
  if (entry?.owner !== undefined) return entry.owner
  const row = await store.conversation(conversationId)
  const [turn] = row?.caller === undefined ? [] : await store.turns({ id: row.caller })
  return turn ? conversationOwner(store, turn.conversation) : (row?.owner ?? defaultOwner)
}
