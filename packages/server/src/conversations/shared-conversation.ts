import type { SharedConversation, WireConversation, WireNode, WireShareLink } from 'turnbuckle/client'
import { keptFileId } from 'turnbuckle/client'

/** The part of a conversation that a read-only link shows; `undefined` where the branch's last message is hidden now. */
export function sharedConversation(
  { title, head, nodes }: WireConversation,
  { what, messageId }: WireShareLink,
): SharedConversation | undefined {
  if (what === 'tree') return { title, what, head, nodes: nodes.map(withoutCost) }
  const branch = branchTo(nodes, messageId ?? '')
  return branch.length ? { title, what, head: messageId ?? null, nodes: branch.map(withoutCost) } : undefined
}

/** True for a file of a message that is shown. */
export const showsFile = ({ nodes }: SharedConversation, fileId: string): boolean =>
  nodes.some(({ message }) => message.content.some(part => part.type === 'file' && keptFileId(part.data) === fileId))

function branchTo(nodes: readonly WireNode[], messageId: string): WireNode[] {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const branch: WireNode[] = []
  for (let node = byId.get(messageId); node; node = byId.get(node.parentId ?? '')) branch.unshift(node)
  return branch
}

const withoutCost = ({ usage: _usage, cost: _cost, ...node }: WireNode): WireNode => node
