import type { WireNode } from 'turnbuckle/client'
import { childrenOf, type MessageTree, siblingsOf } from '../conversation/facts/message-tree.ts'

const beside = (nodes: MessageTree, node: WireNode, step: number): WireNode | undefined => {
  const siblings = siblingsOf(nodes, node)
  return siblings[siblings.findIndex(({ id }) => id === node.id) + step]
}

const ways: Readonly<
  Record<string, (nodes: MessageTree, node: WireNode, path: ReadonlySet<string>) => WireNode | undefined>
> = {
  ArrowUp: (nodes, { parentId }) => (parentId === null ? undefined : nodes.get(parentId)),
  ArrowDown(nodes, { id }, path) {
    const below = childrenOf(nodes).get(id)
    return below?.find(child => path.has(child.id)) ?? below?.at(-1)
  },
  ArrowLeft: (nodes, node) => beside(nodes, node, -1),
  ArrowRight: (nodes, node) => beside(nodes, node, 1),
}

/** The message that an arrow key leads to: the parent, the child on the path (else the newest), or a sibling. */
export function neighbour(nodes: MessageTree, id: string, key: string, path: ReadonlySet<string>): string | undefined {
  const node = nodes.get(id)
  return node && ways[key]?.(nodes, node, path)?.id
}
