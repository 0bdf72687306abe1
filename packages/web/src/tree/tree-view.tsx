import './tree.css'
import { type Edge, type Node, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { ConversationState } from 'turnbuckle/client'
import { pathTo, textOf } from '../state/path.ts'
import { moveHead, useApp } from '../state/store.ts'
import { Compare } from './compare.tsx'
import { nodeHeight, nodeWidth, type Placed, placeNodes } from './layout.ts'
import { type MessageData, MessageNode } from './message-node.tsx'
import { SelectedBar } from './selected-bar.tsx'
import { TreeBar } from './tree-bar.tsx'

const nodeTypes = { message: MessageNode }
const handles = [
  { type: 'target' as const, position: Position.Top, x: nodeWidth / 2, y: 0, width: 1, height: 1 },
  { type: 'source' as const, position: Position.Bottom, x: nodeWidth / 2, y: nodeHeight, width: 1, height: 1 },
]

export default function TreeView(): ReactNode {
  const conversation = useApp(app => app.conversation)
  if (!conversation) return <p className="loading">Loading the tree …</p>
  if (!conversation.nodes.size) return <p className="loading">The tree grows with the first message.</p>
  return (
    <ReactFlowProvider>
      <Tree conversation={conversation} />
    </ReactFlowProvider>
  )
}

function Tree({ conversation }: { readonly conversation: ConversationState }): ReactNode {
  const { nodes, head } = conversation
  const [query, setQuery] = useState('')
  const [comparing, setComparing] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const placed = useMemo(() => placeNodes(nodes), [nodes])
  const pick = useLatest((id: string) => {
    if (!comparing) return void moveHead(id)
    setPicked(known => (known.includes(id) ? known.filter(one => one !== id) : [...known.slice(-1), id]))
  })
  const found = useFound(conversation, useDeferredValue(query))
  const view = useView(conversation, placed, { found, picked, pick })
  useCentre(placed, found?.[0] ?? head)
  const stopComparing = () => {
    setComparing(false)
    setPicked([])
  }
  const [left, right] = picked
  return (
    <section className="tree" aria-label="Tree of the conversation">
      <TreeBar
        query={query}
        setQuery={setQuery}
        found={found?.length}
        comparing={comparing}
        compare={on => (on ? setComparing(true) : stopComparing())}
      />
      {left && right ? (
        <Compare nodes={nodes} left={left} right={right} close={() => setPicked([])} />
      ) : (
        <ReactFlow
          {...view}
          nodeTypes={nodeTypes}
          onlyRenderVisibleElements
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          minZoom={0.05}
          maxZoom={1.5}
          proOptions={{ hideAttribution: true }}
        />
      )}
      {head && !comparing && <SelectedBar conversation={conversation} head={head} />}
    </section>
  )
}

function useFound({ nodes }: ConversationState, query: string): string[] | undefined {
  return useMemo(() => {
    const wanted = query.trim().toLowerCase()
    if (!wanted) return undefined
    return [...nodes.values()].filter(({ message }) => searchable(message).includes(wanted)).map(({ id }) => id)
  }, [nodes, query])
}
const searchable = (message: Parameters<typeof textOf>[0]): string =>
  `${textOf(message)} ${message.content.map(part => ('name' in part ? part.name : '')).join(' ')}`.toLowerCase()

interface Marks {
  readonly found: readonly string[] | undefined
  readonly picked: readonly string[]
  readonly pick: (id: string) => void
}

function useView(
  conversation: ConversationState,
  placed: readonly Placed[],
  marks: Marks,
): { nodes: Node[]; edges: Edge[] } {
  const { nodes, head, tips } = conversation
  const { found, picked, pick } = marks
  const path = useMemo(() => new Set(pathTo(nodes, head).map(({ id }) => id)), [nodes, head])
  const hits = useMemo(() => found && new Set(found), [found])
  const running = [...tips.values()].join(' ')
  const edges = useMemo(() => placed.flatMap(({ node }) => edgeTo(node.id, node.parentId, path)), [placed, path])
  const flow = useMemo(
    () =>
      placed.map(({ id, node, x, y }): Node<MessageData> => {
        const orphan = node.parentId !== null && !nodes.has(node.parentId)
        const dim = hits !== undefined && !hits.has(id)
        const data = {
          node,
          head: id === head,
          onPath: path.has(id),
          running: running.split(' ').includes(id),
          dim,
          orphan,
          picked: picked.includes(id),
          pick,
        }
        return { id, type: 'message', position: { x, y }, width: nodeWidth, height: nodeHeight, handles, data }
      }),
    [placed, nodes, path, head, hits, picked, running, pick],
  )
  return { nodes: flow, edges }
}

function edgeTo(id: string, parentId: string | null, path: ReadonlySet<string>): Edge[] {
  if (parentId === null) return []
  return [{ id: `${parentId}>${id}`, source: parentId, target: id, className: path.has(id) ? 'on-path' : '' }]
}

/** One function for all renders that does what the last one says: nodes need not be drawn again for it. */
function useLatest<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(work)
  latest.current = work
  return useCallback((...args) => latest.current(...args), [])
}

const near = 1500

/** Brings the head, or the first hit, into the middle. A long way is a jump: a flight would draw all that lies between. */
function useCentre(placed: readonly Placed[], id: string | null): void {
  const { setCenter, getViewport } = useReactFlow()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moves when the head does, not when the tree grows
  useEffect(() => {
    const target = placed.find(one => one.id === id)
    if (!target) return
    const timer = setTimeout(() => {
      const { x, y, zoom } = getViewport()
      const way = Math.hypot(x + target.x * zoom, y + target.y * zoom)
      const centre = [target.x + nodeWidth / 2, target.y - 100] as const
      void setCenter(...centre, { zoom: Math.max(zoom, 0.7), duration: way < near ? 250 : 0 })
    }, 30)
    return () => clearTimeout(timer)
  }, [id])
}
