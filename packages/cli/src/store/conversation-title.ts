import type { ConversationRow, ConversationStore } from 'turnbuckle/stores'
import { ownWords } from '../text/own-words.ts'

/** The title, or else how it began. */
export async function conversationTitle(
  store: ConversationStore,
  { id, title, head }: ConversationRow,
): Promise<string> {
  if (title) return title
  const path = head === undefined ? [] : await store.path(id, head)
  const first = path.find(({ message }) => message.role === 'user')
  return (first && ownWords(first.message)) || '(empty)'
}
