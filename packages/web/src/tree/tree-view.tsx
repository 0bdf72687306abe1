import './tree.css'
import { type Edge, type Node, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { WireNode } from 'turnbuckle/client'
import { textOf } from '../conversation/message-parts.ts'
import { pathTo } from '../conversation/message-tree.ts'
import { moveHead } from '../conversation/move-head.ts'
import { useAppState } from '../state/app-state.ts'
import { motionMs } from '../ui/motion-ms.ts'
import { CompareBranches } from './compare-branches.tsx'
import { HeadBar } from './head-bar.tsx'
import { MessageNode } from './message-node.tsx'
import { neighbour } from './neighbour.ts'
import { StartNode } from './start-node.tsx'
import { TreeBar } from './tree-bar.tsx'
import { layOutTree } from './tree-layout.ts'
import { TreeOverview, useFar } from './tree-overview.tsx'
import { useCentreOnMessage } from './use-centre-on-message.ts'
import { useFlowElements } from './use-flow-elements.ts'

/** Nothing is dragged, joined or selected here; keys and clicks are the nodes' own. */
const still = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  zoomOnDoubleClick: false,
  minZoom: 0.01,
  maxZoom: 1.5,
  proOptions: { hideAttribution: true },
}
const nodeTypes = { message: MessageNode, start: StartNode }

type Nodes = ReadonlyMap<string, WireNode>

/** Of the conversation only its nodes, head and tips: words that stream in elsewhere draw nothing here. */
export default function TreeView(): ReactNode {
  const nodes = useAppState(app => app.conversation?.nodes)
  if (!nodes) return <p className="loading">Loading the tree …</p>
  if (!nodes.size)
    return (
      <div className="empty">
        <h2>No tree yet</h2>
        <p>It grows with the first message. Every edit and every retry makes a branch.</p>
      </div>
    )
  return (
    <ReactFlowProvider>
      <Tree nodes={nodes} />
    </ReactFlowProvider>
  )
}

function Tree({ nodes }: { readonly nodes: Nodes }): ReactNode {
  const head = useAppState(app => app.conversation?.head ?? null)
  const tips = useAppState(app => app.conversation?.tips)
  const [query, setQuery] = useState('')
  const { comparing, picked, pick: toCompare, compare } = useComparison()
  const [wanted, want] = useState<string>()
  const layout = useMemo(() => layOutTree(nodes), [nodes])
  const path = useMemo(() => new Set(pathTo(nodes, head).map(({ id }) => id)), [nodes, head])
  const found = useFound(nodes, useDeferredValue(query))
  const centre = useCentreOnMessage(layout.placed, found?.[0] ?? head)
  useCentreOnMessage(layout.placed, wanted)
  const pick = useLatest((id: string) => {
    want(undefined)
    if (comparing) toCompare(id)
    else if (id === head) centre(id)
    else void moveHead(id)
  })
  const far = useFar()
  const view = useFlowElements(nodes, layout, { head, path, tips, found, picked, wanted, pick })
  const onKeyDown = (event: KeyboardEvent) => {
    const from = event.target instanceof HTMLElement ? event.target.dataset.node : undefined
    const to = from === undefined ? undefined : neighbour(nodes, from, event.key, path)
    if (to === undefined) return
    event.preventDefault()
    want(to)
  }
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target.dataset.node !== wanted) want(undefined)
  }
  const [left, right] = picked
  return (
    <section className="tree" aria-label="Tree of the conversation" onKeyDown={onKeyDown} onFocus={onFocus}>
      <TreeBar
        placed={layout.placed}
        query={query}
        setQuery={setQuery}
        found={found?.length}
        picked={picked.length}
        comparing={comparing}
        compare={compare}
      />
      {left && right ? (
        <CompareBranches nodes={nodes} left={left} right={right} close={() => compare(true)} />
      ) : (
        <Canvas view={view}>
          {far && <TreeOverview placed={layout.placed} path={path} head={head} found={found} />}
        </Canvas>
      )}
      {head && !comparing && <HeadBar nodes={nodes} head={head} />}
    </section>
  )
}

interface CanvasProps {
  readonly view: { readonly nodes: Node[]; readonly edges: Edge[] }
  /** The picture that stands for the nodes when they are too small to read. */
  readonly children: ReactNode
}
const none = { nodes: [], edges: [] }

function Canvas({ view, children }: CanvasProps): ReactNode {
  const { screenToFlowPosition, setCenter, getViewport, setViewport } = useReactFlow()
  // Else the message would fly away from under the finger, and the click would go to what came in its place.
  const holdStill = () => void setViewport(getViewport())
  const lookCloser = (event: { readonly clientX: number; readonly clientY: number }) => {
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    if (children) void setCenter(x, y, { zoom: 0.8, duration: motionMs() })
  }
  return (
    <ReactFlow
      {...still}
      {...(children ? none : view)}
      nodeTypes={nodeTypes}
      onlyRenderVisibleElements
      onPointerDownCapture={holdStill}
      onPaneClick={lookCloser}
    >
      {children}
    </ReactFlow>
  )
}

/** The two messages whose branches are to be seen side by side. A third takes the place of the first. */
function useComparison() {
  const [comparing, setComparing] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  return {
    comparing,
    picked,
    pick: (id: string) =>
      setPicked(known => (known.includes(id) ? known.filter(one => one !== id) : [...known.slice(-1), id])),
    /** On, with nothing picked yet, or off. */
    compare(on: boolean) {
      setComparing(on)
      setPicked([])
    },
  }
}

function useFound(nodes: Nodes, query: string): string[] | undefined {
  return useMemo(() => {
    const wanted = query.trim().toLowerCase()
    if (!wanted) return undefined
    return [...nodes.values()].filter(({ message }) => searchable(message).includes(wanted)).map(({ id }) => id)
  }, [nodes, query])
}
const searchable = (message: WireNode['message']): string =>
  `${textOf(message)} ${message.content.map(part => ('name' in part ? part.name : '')).join(' ')}`.toLowerCase()

/** One function for all renders that does what the last one says: nodes need not be drawn again for it. */
function useLatest<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(work)
  latest.current = work
  return useCallback((...args) => latest.current(...args), [])
}
