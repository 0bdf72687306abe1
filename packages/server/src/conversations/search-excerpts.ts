import { type Message, textOf } from 'turnbuckle'
import type { SearchHit } from 'turnbuckle/client'
import { wholeCharacters } from '../base/whole-characters.ts'

const mostHits = 10

/** A conversation with messages that may hold a text, oldest first. */
export interface FoundConversation {
  readonly id: string
  readonly title: string
  readonly nodes: readonly { readonly message: Message; readonly createdAt: number }[]
}

/** The newest messages of a conversation that hold a text in any case, each with the words around it. */
export function searchExcerpts({ id, title, nodes }: FoundConversation, query: string): SearchHit[] {
  const wanted = query.toLowerCase()
  const hits = nodes.flatMap(({ message, createdAt }) => {
    const text = textOf(message)
    const at = text.toLowerCase().indexOf(wanted)
    if (at < 0) return []
    const excerpt = excerptAround(text, at, at + wanted.length)
    return [{ conversationId: id, title, messageId: message.id, role: message.role, excerpt, createdAt }]
  })
  return hits.slice(-mostHits)
}

/** Cuts a message's text between words, with `…` in place of the rest. */
function excerptAround(text: string, from: number, to: number): string {
  const before = wholeCharacters(text.slice(Math.max(0, from - 60), from))
  const after = wholeCharacters(text.slice(to, to + 100))
  const begin = from > 60 ? `… ${before.slice(before.search(/\s/) + 1)}` : before
  const end = to + 100 < text.length ? `${after.slice(0, lastSpace(after))} …` : after
  return begin + text.slice(from, to) + end
}
const lastSpace = (text: string): number => {
  const at = text.search(/\s\S*$/)
  return at < 0 ? text.length : at
}
