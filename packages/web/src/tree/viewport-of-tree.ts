import { getViewportForBounds, type Viewport } from '@xyflow/react'
import { letterScale } from '../ui/letter-scale.ts'
import { nodeHeight, nodeWidth, type PlacedMessage } from './tree-layout.ts'

interface Panel {
  readonly width: number
  readonly height: number
  readonly minZoom: number
}

/** The view of the whole tree. React Flow's own `fitView` would wait until it has measured the message nodes. */
export function viewportOfTree(placed: readonly PlacedMessage[], { width, height, minZoom }: Panel): Viewport {
  let [left, right, bottom] = [0, 0, 0]
  for (const { x, y } of placed) {
    left = Math.min(left, x)
    right = Math.max(right, x + nodeWidth)
    bottom = Math.max(bottom, y + nodeHeight)
  }
  const bounds = { x: left, y: 0, width: right - left, height: bottom }
  return getViewportForBounds(bounds, width, height, minZoom, letterScale(), roomAround(width))
}

/** Room around the tree, little beside it on a phone; at the bottom for the head bar, which is higher on a phone and where letters are larger. */
function roomAround(width: number): { top: `${number}px`; bottom: `${number}px`; x: `${number}px` } {
  const bar = document.querySelector('.selected')?.clientHeight ?? 0
  return { top: '24px', bottom: `${bar + 44}px`, x: width < 600 ? '12px' : '40px' }
}
