import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect } from 'react'
import { flight } from '../ui/flight.ts'
import { nodeWidth, type Placed } from './layout.ts'

const near = 1500

/** Brings a message into the middle. A long way is a jump: a flight would draw all that lies between. */
export function useCentre(placed: readonly Placed[], id: string | null | undefined): void {
  const { setCenter, getViewport } = useReactFlow()
  const width = useStore(state => state.width)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moves when the message or the width is another, not when the tree grows
  useEffect(() => {
    const target = placed.find(one => one.id === id)
    // Before it is drawn the panel has no size.
    if (!target || !width) return
    const frame = requestAnimationFrame(() => {
      const { x, y, zoom } = getViewport()
      const way = Math.hypot(x + target.x * zoom, y + target.y * zoom)
      const centre = [target.x + nodeWidth / 2, target.y - 100] as const
      void setCenter(...centre, { zoom: Math.max(zoom, 0.7), duration: way < near ? flight() : 0 })
    })
    return () => cancelAnimationFrame(frame)
  }, [id, width])
}
