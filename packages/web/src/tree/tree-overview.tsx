import { useStore, useViewport } from '@xyflow/react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { drawTree } from './draw-tree.ts'
import type { PlacedMessage } from './tree-layout.ts'

/** Below this zoom no text can be read: the tree is drawn on one canvas instead of one element per message. */
export const farZoom = 0.22

export const useFar = (): boolean => useStore(({ transform: [, , zoom] }) => zoom < farZoom)

interface Props {
  readonly placed: readonly PlacedMessage[]
  readonly path: ReadonlySet<string>
  readonly head: string | null
  readonly found: readonly string[] | undefined
}

/** The whole tree as a picture, without text. */
export function TreeOverview({ placed, path, head, found }: Props): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { x, y, zoom } = useViewport()
  const width = useStore(store => store.width)
  const height = useStore(store => store.height)
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const sharp = window.devicePixelRatio
    context.canvas.width = width * sharp
    context.canvas.height = height * sharp
    context.setTransform(sharp * zoom, 0, 0, sharp * zoom, sharp * x, sharp * y)
    drawTree(context, placed, { path, head, hits: found && new Set(found), line: 1.5 / zoom })
  }, [placed, path, head, found, x, y, zoom, width, height])
  return (
    <>
      <canvas
        ref={canvas}
        className="tree-overview"
        role="img"
        aria-label={`${placed.length} messages from far away`}
      />
      <p className="tree-far">Click where you want to look closer</p>
    </>
  )
}
