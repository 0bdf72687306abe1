import { textOf } from 'turnbuckle'
import type { SearchHit, WireConversation } from 'turnbuckle/client'
import { whole } from './first-words.ts'

const most = 10

/** The newest messages of a conversation that hold a text, whatever its case, each with what stands around it. */
export function excerptsIn({ id, title, nodes }: WireConversation, query: string): SearchHit[] {
  const wanted = query.toLowerCase()
  const hits = nodes.flatMap(({ message, createdAt }) => {
    const text = textOf(message)
    const at = text.toLowerCase().indexOf(wanted)
    if (at < 0) return []
    const excerpt = around(text, at, at + wanted.length)
    return [{ conversationId: id, title, messageId: message.id, role: message.role, excerpt, createdAt }]
  })
  return hits.slice(-most)
}

/** Whole words, and `…` where something is left out. */
function around(text: string, from: number, to: number): string {
  const before = whole(text.slice(Math.max(0, from - 60), from))
  const after = whole(text.slice(to, to + 100))
  const begin = from > 60 ? `… ${before.slice(before.search(/\s/) + 1)}` : before
  const end = to + 100 < text.length ? `${after.slice(0, lastSpace(after))} …` : after
  return begin + text.slice(from, to) + end
}
const lastSpace = (text: string): number => {
  const at = text.search(/\s\S*$/)
  return at < 0 ? text.length : at
}
