import { useStore, useViewport } from '@xyflow/react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { nodeHeight, nodeWidth, type PlacedMessage } from './tree-layout.ts'

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
    draw(context, placed, { path, head, hits: found && new Set(found), line: 1.5 / zoom })
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

interface Look {
  readonly path: ReadonlySet<string>
  readonly head: string | null
  readonly hits: ReadonlySet<string> | undefined
  /** Width of a thin line on the screen, in the tree's units. */
  readonly line: number
}
type Colour = (name: string) => string

function draw(context: CanvasRenderingContext2D, placed: readonly PlacedMessage[], look: Look): void {
  const style = getComputedStyle(document.documentElement)
  const known = new Map<string, string>()
  const colour: Colour = name => {
    const value = known.get(name) ?? style.getPropertyValue(`--${name}`)
    known.set(name, value)
    return value
  }
  const at = new Map(placed.map(one => [one.id, one]))
  context.lineWidth = look.line
  for (const one of placed) {
    const parent = one.node.parentId === null ? undefined : at.get(one.node.parentId)
    if (parent) drawEdge(context, parent, one, colour(look.path.has(one.id) ? 'brass-fill' : 'line-strong'))
    drawMessage(context, one, look, colour)
  }
}

function drawEdge(context: CanvasRenderingContext2D, from: PlacedMessage, to: PlacedMessage, colour: string): void {
  context.strokeStyle = colour
  context.beginPath()
  context.moveTo(from.x + nodeWidth / 2, from.y + nodeHeight)
  context.lineTo(to.x + nodeWidth / 2, to.y)
  context.stroke()
}

function drawMessage(
  context: CanvasRenderingContext2D,
  { id, node, x, y }: PlacedMessage,
  { path, head, hits, line }: Look,
  colour: Colour,
): void {
  const role = node.message.role === 'tool' ? 'sea' : 'ink-faint'
  context.fillStyle = colour(path.has(id) ? 'brass-fill' : role)
  context.globalAlpha = hits === undefined ? 0.75 : hits.has(id) ? 1 : 0.12
  context.fillRect(x, y, nodeWidth, nodeHeight)
  context.globalAlpha = 1
  if (id !== head) return
  context.strokeStyle = colour('brass-fill')
  context.strokeRect(x - 4 * line, y - 4 * line, nodeWidth + 8 * line, nodeHeight + 8 * line)
}
