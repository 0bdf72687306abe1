import { textOf } from 'turnbuckle'
import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'

/** The title, or else how it began. */
export async function conversationTitle(
  store: ConversationStore,
  { id, title, head }: ConversationRow,
): Promise<string> {
  if (title) return title
  const path = head === undefined ? [] : await store.path(id, head)
  return textOf(path.find(({ message }) => message.role === 'user')?.message) || '(empty)'
}
