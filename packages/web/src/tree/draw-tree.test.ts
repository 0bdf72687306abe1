import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { node, treeOf } from '../../test/conversation.ts'
import { drawTree } from './draw-tree.ts'
import { nodeHeight, nodeWidth, type PlacedMessage } from './tree-layout.ts'

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => name }))
})
afterEach(() => vi.unstubAllGlobals())

/** A canvas that notes what is painted, with its colour. */
function canvas() {
  const painted: unknown[][] = []
  const context = {
    fillStyle: '',
    strokeStyle: '',
    globalAlpha: 1,
    lineWidth: 0,
    beginPath() {},
    moveTo() {},
    stroke: () => painted.push(['line', context.strokeStyle]),
    lineTo() {},
    fillRect: (x: number, y: number) => painted.push(['box', context.fillStyle, context.globalAlpha, x, y]),
    strokeRect: () => painted.push(['frame', context.strokeStyle]),
  }
  return { painted, context: context as unknown as CanvasRenderingContext2D }
}

const placed = [...treeOf(node('a', null), node('b', 'a'), node('c', 'a')).values()].map(
  (one, i) => ({ id: one.id, node: one, x: i * nodeWidth, y: i * nodeHeight }) as PlacedMessage,
)
const look = { path: new Set(['a', 'b']), head: 'b', hits: undefined, line: 1 }

test('the path stands out, and the head has a frame', () => {
  const { painted, context } = canvas()
  drawTree(context, placed, look)
  expect(painted.map(([kind, colour]) => `${kind} ${colour}`)).toEqual([
    'box --brass-fill',
    'line --brass-fill',
    'box --brass-fill',
    'frame --brass-fill',
    'line --line-strong',
    'box --ink-faint',
  ])
})

test('in a search what is not found fades', () => {
  const { painted, context } = canvas()
  drawTree(context, placed, { ...look, hits: new Set(['c']) })
  expect(painted.filter(([kind]) => kind === 'box').map(([, , alpha]) => alpha)).toEqual([0.12, 0.12, 1])
})
