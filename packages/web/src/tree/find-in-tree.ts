import { textOf } from '../conversation/facts/message-parts.ts'
import type { MessageTree } from '../conversation/facts/message-tree.ts'

/** Ids of the messages whose text, or whose calls' names, hold the query in any case; `undefined` without a query. */
export function findInTree(nodes: MessageTree, query: string): string[] | undefined {
  const wanted = query.trim().toLowerCase()
  if (!wanted) return undefined
  const ids: string[] = []
  for (const { id, message } of nodes.values()) {
    const names = message.content.map(part => ('name' in part ? part.name : '')).join(' ')
    if (`${textOf(message)} ${names}`.toLowerCase().includes(wanted)) ids.push(id)
  }
  return ids
}
