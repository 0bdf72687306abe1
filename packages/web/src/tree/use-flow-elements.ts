import { type Edge, type Node, Position } from '@xyflow/react'
import { useMemo } from 'react'
import type { Usage, WireNode } from 'turnbuckle/client'
import { formatSpent } from '../ui/format-usage.ts'
import type { MessageData } from './message-node.tsx'
import { nodeHeight, nodeWidth, type PlacedMessage, startHeight, type TreeLayout } from './tree-layout.ts'
import { usageOfBranches } from './usage-of-branches.ts'

const start = 'start'
const below = (height: number) =>
  ({ type: 'source', position: Position.Bottom, x: nodeWidth / 2, y: height, width: 1, height: 1 }) as const
const above = { type: 'target', position: Position.Top, x: nodeWidth / 2, y: 0, width: 1, height: 1 } as const
const handles = [above, below(nodeHeight)]
const startHandles = [below(startHeight)]

interface Marks extends Pick<MessageData, 'pick'> {
  readonly head: string | null
  readonly path: ReadonlySet<string>
  readonly tips: ReadonlyMap<string, string | null> | undefined
  readonly found: readonly string[] | undefined
  readonly picked: readonly string[]
  readonly wanted: string | undefined
}

/** The nodes and edges of the tree for React Flow. */
export function useFlowElements(
  nodes: ReadonlyMap<string, WireNode>,
  layout: TreeLayout,
  marks: Marks,
): { nodes: Node[]; edges: Edge[] } {
  const { head, path, tips, found, picked, wanted, pick } = marks
  const edges = useMemo(
    () => layout.placed.map(({ node }) => edgeTo(node.id, node.parentId ?? start, path)),
    [layout, path],
  )
  const spent = useMemo(() => usageOfBranches(nodes), [nodes])
  const flow = useMemo(() => {
    const hits = found && new Set(found)
    const running = new Set(tips?.values())
    const messageNode = ({ id, node, x, y }: PlacedMessage): Node<MessageData> => {
      const data: MessageData = {
        node,
        head: id === head,
        onPath: path.has(id),
        running: running.has(id),
        dim: hits !== undefined && !hits.has(id),
        orphan: node.parentId !== null && !nodes.has(node.parentId),
        picked: picked.includes(id),
        spent: spentOn(spent.get(id)),
        wanted: id === wanted,
        pick,
      }
      return { id, type: 'message', position: { x, y }, width: nodeWidth, height: nodeHeight, handles, data }
    }
    return [startNode(layout.start), ...layout.placed.map(messageNode)]
  }, [layout, nodes, path, head, found, picked, spent, wanted, tips, pick])
  return { nodes: flow, edges }
}

const spentOn = (usage: Usage | undefined): string | undefined => usage && formatSpent(usage)

const startNode = (position: TreeLayout['start']): Node => ({
  id: start,
  type: 'start',
  position,
  width: nodeWidth,
  height: startHeight,
  handles: startHandles,
  data: {},
})

const edgeTo = (id: string, source: string, path: ReadonlySet<string>): Edge => ({
  id: `${source}>${id}`,
  source,
  target: id,
  className: path.has(id) ? 'on-path' : '',
})
