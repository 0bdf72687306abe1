import { hierarchy, tree } from 'd3-hierarchy'
import type { WireNode } from 'turnbuckle/client'
import { childrenOf } from '../conversation/facts/message-tree.ts'

export const nodeWidth = 208
export const nodeHeight = 62
export const startHeight = 26
const gapX = 28
const gapY = 34

interface Point {
  readonly x: number
  readonly y: number
}
export interface PlacedMessage extends Point {
  readonly id: string
  readonly node: WireNode
}
export interface TreeLayout {
  /** Place of the start node, which is the parent of every root message. */
  readonly start: Point
  readonly placed: readonly PlacedMessage[]
}

interface Item {
  readonly id: string | null
  readonly node?: WireNode
}

/** Places the messages as a tidy tree, top down. A message whose parent is missing stands beside the roots. */
export function layOutTree(nodes: ReadonlyMap<string, WireNode>): TreeLayout {
  const children = childrenOf(nodes)
  const roots = [...nodes.values()].filter(({ parentId }) => parentId === null || !nodes.has(parentId))
  const root = hierarchy<Item>({ id: null }, item =>
    (item.id === null ? roots : (children.get(item.id) ?? [])).map(node => ({ id: node.id, node })),
  )
  const placed: PlacedMessage[] = []
  const tidy = tree<Item>()
    .nodeSize([nodeWidth + gapX, nodeHeight + gapY])
    .separation(() => 1)(root)
  tidy.each(({ data: { node }, x, y }) => {
    if (node) placed.push({ id: node.id, node, x: x - nodeWidth / 2, y })
  })
  return { start: { x: tidy.x - nodeWidth / 2, y: nodeHeight - startHeight }, placed }
}
