import { type Edge, type Node, ReactFlow, useReactFlow } from '@xyflow/react'
import type { ReactNode } from 'react'
import { letterScale } from '../ui/letter-scale.ts'
import { motionMs } from '../ui/motion-ms.ts'
import { MessageNode } from './message-node.tsx'
import { StartNode } from './start-node.tsx'

/** Messages are not dragged, connected or selected by React Flow; their buttons handle keys and clicks. */
const still = {
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  disableKeyboardA11y: true,
  zoomOnDoubleClick: false,
  minZoom: 0.01,
  proOptions: { hideAttribution: true },
}
const nodeTypes = { message: MessageNode, start: StartNode }

interface Props {
  readonly view: { readonly nodes: Node[]; readonly edges: Edge[] }
  /** The overview that replaces the messages when they are too small to read. */
  readonly children: ReactNode
}
const none = { nodes: [], edges: [] }

/** The drawn part of the tree: message nodes, or from far away the overview. */
export function TreeCanvas({ view, children }: Props): ReactNode {
  const { screenToFlowPosition, setCenter, getViewport, setViewport } = useReactFlow()
  // A press stops a moving view: else the message would move away under the pointer, and the click would go to another.
  const holdStill = () => void setViewport(getViewport())
  const lookCloser = (event: { readonly clientX: number; readonly clientY: number }) => {
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    if (children) void setCenter(x, y, { zoom: 0.8 * letterScale(), duration: motionMs() })
  }
  return (
    <ReactFlow
      {...still}
      defaultViewport={{ x: 0, y: 0, zoom: letterScale() }}
      maxZoom={1.5 * letterScale()}
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
