import { useReactFlow, useStore } from '@xyflow/react'
import { type PointerEvent, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { letterScale } from '../ui/letter-scale.ts'
import { useDarkPage } from '../ui/use-dark-page.ts'
import { drawTree, type Look } from './draw-tree.ts'
import { nodeHeight, nodeWidth, type PlacedMessage } from './tree-layout.ts'

/** As the style has it in `rem`. */
const sizeOf = (scale: number) => ({ width: 176 * scale, height: 116 * scale })
const margin = 6

interface Props extends Pick<Look, 'path' | 'head'> {
  readonly placed: readonly PlacedMessage[]
}

/** The whole tree, small, with a frame around the part in view. A press or drag moves the view there. */
export function TreeMinimap({ placed, path, head }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDarkPage()
  const bounds = useMemo(() => boundsOf(placed), [placed])
  const letters = letterScale()
  const size = sizeOf(letters)
  const scale = Math.min(
    (size.width - 2 * margin) / bounds.width,
    (size.height - 2 * margin) / bounds.height,
    0.12 * letters,
  )
  // In the middle: the frame around a view that is larger than the tree has room on all sides.
  const origin = {
    x: size.width / 2 - (bounds.x + bounds.width / 2) * scale,
    y: size.height / 2 - (bounds.y + bounds.height / 2) * scale,
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: scale and origin follow from the bounds, and the colours from `dark`
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const sharp = window.devicePixelRatio
    context.canvas.width = size.width * sharp
    context.canvas.height = size.height * sharp
    context.setTransform(sharp * scale, 0, 0, sharp * scale, sharp * origin.x, sharp * origin.y)
    drawTree(context, placed, { path, head, hits: undefined, line: 1 / scale })
  }, [placed, bounds, path, head, dark, letters])
  const { setCenter, getZoom } = useReactFlow()
  const go = (event: PointerEvent<HTMLElement>) => {
    if (event.type === 'pointermove' && event.buttons !== 1) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    const [x, y] = [(event.clientX - box.x - origin.x) / scale, (event.clientY - box.y - origin.y) / scale]
    void setCenter(x, y, { zoom: getZoom(), duration: 0 })
  }
  return (
    <div className="tree-minimap" onPointerDown={go} onPointerMove={go}>
      <canvas ref={canvas} role="img" aria-label={`Map of the tree: ${placed.length} messages`} />
      <InView scale={scale} origin={origin} />
    </div>
  )
}

interface InViewProps {
  readonly scale: number
  readonly origin: { readonly x: number; readonly y: number }
}

/** The frame around the part in view. It alone is drawn anew while the view moves. */
function InView({ scale, origin }: InViewProps): ReactNode {
  const [x, y, zoom] = useStore(store => store.transform)
  const width = useStore(store => store.width)
  const height = useStore(store => store.height)
  const [left, top] = [origin.x - (x / zoom) * scale, origin.y - (y / zoom) * scale]
  const [right, bottom] = [left + (width / zoom) * scale, top + (height / zoom) * scale]
  // A view that is larger than the map has its frame at the map's edges: cut off, it would be half a frame.
  return (
    <span
      className="tree-minimap-view"
      style={{
        left: Math.max(0, left),
        top: Math.max(0, top),
        right: `max(0px, calc(100% - ${right}px))`,
        bottom: `max(0px, calc(100% - ${bottom}px))`,
      }}
    />
  )
}

function boundsOf(placed: readonly PlacedMessage[]): { x: number; y: number; width: number; height: number } {
  let [left, right, bottom] = [0, 0, 0]
  for (const { x, y } of placed) {
    left = Math.min(left, x)
    right = Math.max(right, x + nodeWidth)
    bottom = Math.max(bottom, y + nodeHeight)
  }
  return { x: left, y: 0, width: right - left, height: bottom }
}
