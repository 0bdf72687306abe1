import type { WireNode } from 'turnbuckle/client'

/** The messages of a conversation by their ids, in the order they were recorded. */
export type MessageTree = ReadonlyMap<string, WireNode>

/** The messages from the root to `head`. Where a parent is missing, the path begins below it. */
export function pathTo(nodes: MessageTree, head: string | null): WireNode[] {
  const path: WireNode[] = []
  for (
    let node = head === null ? undefined : nodes.get(head);
    node;
    node = node.parentId === null ? undefined : nodes.get(node.parentId)
  )
    path.push(node)
  return path.reverse()
}

const children = new WeakMap<MessageTree, Map<string | null, WireNode[]>>()

/** The children of each message, oldest first; under `null` the roots. Computed once for each tree. */
export function childrenOf(nodes: MessageTree): Map<string | null, WireNode[]> {
  const known = children.get(nodes)
  if (known) return known
  const map = new Map<string | null, WireNode[]>()
  for (const node of nodes.values()) {
    const siblings = map.get(node.parentId)
    if (siblings) siblings.push(node)
    else map.set(node.parentId, [node])
  }
  children.set(nodes, map)
  return map
}

export const siblingsOf = (nodes: MessageTree, node: WireNode): readonly WireNode[] =>
  childrenOf(nodes).get(node.parentId) ?? [node]

/** The last message of the newest branch below a message. */
export function newestLeaf(nodes: MessageTree, from: string): string {
  const map = childrenOf(nodes)
  let id = from
  for (let next = map.get(id)?.at(-1); next; next = map.get(id)?.at(-1)) id = next.id
  return id
}

/** Number of messages that two paths have in common at their beginning. */
export function sharedLength(a: readonly WireNode[], b: readonly WireNode[]): number {
  let shared = 0
  while (shared < Math.min(a.length, b.length) && a[shared]?.id === b[shared]?.id) shared++
  return shared
}
