import { expect, test } from 'vitest'
import { node, treeOf } from '../../test/conversation.ts'
import { layOutTree, nodeHeight, nodeWidth } from './tree-layout.ts'

const place = (nodes: Parameters<typeof layOutTree>[0]) =>
  new Map(layOutTree(nodes).placed.map(({ id, x, y }) => [id, { x, y }]))

test('children stand below their parent, side by side in their order, and overlap nothing', () => {
  const at = place(treeOf(node('a', null), node('b', 'a'), node('c', 'a')))
  const [a, b, c] = ['a', 'b', 'c'].map(id => at.get(id) ?? { x: 0, y: 0 })
  expect(b?.y).toBeGreaterThanOrEqual((a?.y ?? 0) + nodeHeight)
  expect(c?.y).toBe(b?.y)
  expect(c?.x).toBeGreaterThanOrEqual((b?.x ?? 0) + nodeWidth)
  expect(a?.x).toBe(((b?.x ?? 0) + (c?.x ?? 0)) / 2)
})

test('a message whose parent is missing stands beside the roots', () => {
  const at = place(treeOf(node('a', null), node('lost', 'gone')))
  expect(at.get('lost')?.y).toBe(at.get('a')?.y)
})
