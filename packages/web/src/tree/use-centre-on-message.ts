import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { motionMs } from '../ui/motion-ms.ts'
import { nodeWidth, type PlacedMessage } from './tree-layout.ts'

const near = 1500

/**
 * Brings a message into the middle, and gives what does so with any other. It flies to another message that is near. A
 * long way is a jump: a flight would draw all that lies between. So is the first view, and that of a panel with another
 * width: nobody asked to go anywhere.
 */
export function useCentreOnMessage(
  placed: readonly PlacedMessage[],
  id: string | null | undefined,
): (id: string) => void {
  const { setCenter, getViewport } = useReactFlow()
  const width = useStore(state => state.width)
  const before = useRef(id)
  const centre = (wanted: string | null | undefined, flies = true) => {
    const target = placed.find(one => one.id === wanted)
    // Before it is drawn the panel has no size.
    if (!target || !width) return
    const { x, y, zoom } = getViewport()
    const way = Math.hypot(x + target.x * zoom, y + target.y * zoom)
    const duration = flies && way < near ? motionMs() : 0
    void setCenter(target.x + nodeWidth / 2, target.y - 100, { zoom: Math.max(zoom, 0.7), duration })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moves when the message or the width is another, not when the tree grows
  useEffect(() => {
    centre(id, before.current !== id)
    before.current = id
  }, [id, width])
  return centre
}
