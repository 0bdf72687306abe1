import { textOf } from 'turnbuckle'
import type { SearchHit, WireConversation } from 'turnbuckle/client'

/** The messages of a conversation that hold a text, whatever its case, each with what stands around it. */
export function excerptsIn({ id, title, nodes }: WireConversation, query: string): SearchHit[] {
  const wanted = query.toLowerCase()
  return nodes.flatMap(({ message, createdAt }) => {
    const text = textOf(message)
    const at = text.toLowerCase().indexOf(wanted)
    if (at < 0) return []
    const excerpt = text.slice(Math.max(0, at - 60), at + wanted.length + 100)
    return [{ conversationId: id, title, messageId: message.id, role: message.role, excerpt, createdAt }]
  })
}
