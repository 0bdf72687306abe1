import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { flight } from '../ui/flight.ts'
import { nodeWidth, type Placed } from './layout.ts'

const near = 1500

/**
 * Brings a message into the middle. It flies to another message that is near. A long way is a jump: a flight would draw
 * all that lies between. So is the first view, and that of a panel with another width: nobody asked to go anywhere.
 */
export function useCentre(placed: readonly Placed[], id: string | null | undefined): void {
  const { setCenter, getViewport } = useReactFlow()
  const width = useStore(state => state.width)
  const before = useRef(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moves when the message or the width is another, not when the tree grows
  useEffect(() => {
    const flies = before.current !== id
    before.current = id
    const target = placed.find(one => one.id === id)
    // Before it is drawn the panel has no size.
    if (!target || !width) return
    const { x, y, zoom } = getViewport()
    const way = Math.hypot(x + target.x * zoom, y + target.y * zoom)
    const centre = [target.x + nodeWidth / 2, target.y - 100] as const
    void setCenter(...centre, { zoom: Math.max(zoom, 0.7), duration: flies && way < near ? flight() : 0 })
  }, [id, width])
}
