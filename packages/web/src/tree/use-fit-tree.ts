import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react'
import { letterScale } from '../ui/letter-scale.ts'
import { motionMs } from '../ui/motion-ms.ts'
import { nodeHeight, nodeWidth, type PlacedMessage } from './tree-layout.ts'

/** The bottom leaves room for the head bar. */
const padding = { top: '24px', bottom: '104px', x: '40px' } as const

/** Zooms to the whole tree at once. React Flow's own `fitView` would wait until it has measured the message nodes. */
export function useFitTree(placed: readonly PlacedMessage[]): () => void {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  return () => {
    const { width, height, minZoom } = store.getState()
    let [left, right, bottom] = [0, 0, 0]
    for (const { x, y } of placed) {
      left = Math.min(left, x)
      right = Math.max(right, x + nodeWidth)
      bottom = Math.max(bottom, y + nodeHeight)
    }
    const bounds = { x: left, y: 0, width: right - left, height: bottom }
    const viewport = getViewportForBounds(bounds, width, height, minZoom, letterScale(), padding)
    void setViewport(viewport, { duration: motionMs() })
  }
}
