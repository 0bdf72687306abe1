import { nodeHeight, nodeWidth, type PlacedMessage } from './tree-layout.ts'

/** How the tree is painted on a canvas. */
export interface Look {
  readonly path: ReadonlySet<string>
  readonly head: string | null
  readonly hits: ReadonlySet<string> | undefined
  /** Width of a thin line on the screen, in the tree's units. */
  readonly line: number
}
type Colour = (name: string) => string

/** Paints the messages of the tree as boxes, without text, and the lines between them. */
export function drawTree(context: CanvasRenderingContext2D, placed: readonly PlacedMessage[], look: Look): void {
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
