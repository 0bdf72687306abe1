import { hierarchy, tree } from 'd3-hierarchy'
import type { WireNode } from 'turnbuckle/client'
import { childrenOf } from '../state/path.ts'

export const nodeWidth = 200
export const nodeHeight = 58
const gapX = 28
const gapY = 34

export interface Placed {
  readonly id: string
  readonly node: WireNode
  readonly x: number
  readonly y: number
}

interface Item {
  readonly id: string | null
  readonly node?: WireNode
}

/** A tidy tree, top down. Nodes whose parent is missing stand beside the roots, marked by the caller. */
export function placeNodes(nodes: ReadonlyMap<string, WireNode>): Placed[] {
  const children = childrenOf(nodes)
  const roots = [...nodes.values()].filter(({ parentId }) => parentId === null || !nodes.has(parentId))
  const root = hierarchy<Item>({ id: null }, item =>
    (item.id === null ? roots : (children.get(item.id) ?? [])).map(node => ({ id: node.id, node })),
  )
  const placed: Placed[] = []
  tree<Item>()
    .nodeSize([nodeWidth + gapX, nodeHeight + gapY])
    .separation(() => 1)(root)
  root.each(({ data: { node }, x = 0, y = 0 }) => {
    if (node) placed.push({ id: node.id, node, x: x - nodeWidth / 2, y })
  })
  return placed
}
