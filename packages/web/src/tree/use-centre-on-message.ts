import { useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { letterScale } from '../ui/letter-scale.ts'
import { motionMs } from '../ui/motion-ms.ts'
import { nodeWidth, type PlacedMessage } from './tree-layout.ts'
import { viewportOfTree } from './viewport-of-tree.ts'

const near = 1500

/**
 * Centres the view on a message, and returns a function that centres it on any other. A tree that can be read as a whole
 * is shown whole instead, unless the person has looked closer. The view moves smoothly to a near
 * message. It jumps over long ways, since all messages between would be drawn, and when the panel opens or changes its
 * width, since the person did not ask for a move.
 */
export function useCentreOnMessage(
  placed: readonly PlacedMessage[],
  id: string | null | undefined,
): (id: string) => void {
  const { setCenter, setViewport, getViewport } = useReactFlow()
  const store = useStoreApi()
  const width = useStore(state => state.width)
  const before = useRef(id)
  const centre = (wanted: string | null | undefined, flies = true) => {
    const target = placed.find(one => one.id === wanted)
    // A panel that is not drawn yet has no width.
    if (!target || !width) return
    const { x, y, zoom } = getViewport()
    const way = Math.hypot(x + target.x * zoom, y + target.y * zoom)
    const duration = flies && way < near ? motionMs() : 0
    const readable = 0.7 * letterScale()
    const whole = viewportOfTree(placed, store.getState())
    const isSmall = whole.zoom >= readable && (!flies || zoom <= whole.zoom)
    if (isSmall) void setViewport(whole, { duration })
    else void setCenter(target.x + nodeWidth / 2, target.y - 100, { zoom: Math.max(zoom, readable), duration })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moves when the message or the width is another, not when the tree grows
  useEffect(() => {
    centre(id, before.current !== id)
    before.current = id
  }, [id, width])
  return centre
}
