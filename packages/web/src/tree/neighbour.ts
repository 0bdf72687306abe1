import type { WireNode } from 'turnbuckle/client'
import { childrenOf, siblingsOf } from '../conversation/message-tree.ts'

type Nodes = ReadonlyMap<string, WireNode>

const beside = (nodes: Nodes, node: WireNode, step: number): WireNode | undefined => {
  const siblings = siblingsOf(nodes, node)
  return siblings[siblings.findIndex(({ id }) => id === node.id) + step]
}

const ways: Readonly<
  Record<string, (nodes: Nodes, node: WireNode, path: ReadonlySet<string>) => WireNode | undefined>
> = {
  ArrowUp: (nodes, { parentId }) => (parentId === null ? undefined : nodes.get(parentId)),
  ArrowDown(nodes, { id }, path) {
    const below = childrenOf(nodes).get(id)
    return below?.find(child => path.has(child.id)) ?? below?.at(-1)
  },
  ArrowLeft: (nodes, node) => beside(nodes, node, -1),
  ArrowRight: (nodes, node) => beside(nodes, node, 1),
}

/** Where an arrow key leads in the tree: the parent, the child on the path or else the newest, the branch beside. */
export function neighbour(nodes: Nodes, id: string, key: string, path: ReadonlySet<string>): string | undefined {
  const node = nodes.get(id)
  return node && ways[key]?.(nodes, node, path)?.id
}
