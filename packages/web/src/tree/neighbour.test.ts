import type { WireNode } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { neighbour } from './neighbour.ts'

const node = (id: string, parentId: string | null): [string, WireNode] => [
  id,
  { id, parentId, turnId: 't', createdAt: 0, message: { id, role: 'user', content: [] } },
]
/** The message a has the children b, c, d; c has the child e. */
const nodes = new Map([node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'a'), node('e', 'c')])

test.each([
  { from: 'c', key: 'ArrowUp', to: 'a' },
  { from: 'a', key: 'ArrowUp', to: undefined },
  { from: 'a', key: 'ArrowDown', to: 'd' },
  { from: 'a', key: 'ArrowDown', path: ['a', 'b'], to: 'b' },
  { from: 'e', key: 'ArrowDown', to: undefined },
  { from: 'c', key: 'ArrowLeft', to: 'b' },
  { from: 'b', key: 'ArrowLeft', to: undefined },
  { from: 'c', key: 'ArrowRight', to: 'd' },
  { from: 'd', key: 'ArrowRight', to: undefined },
  { from: 'a', key: 'Enter', to: undefined },
  { from: 'gone', key: 'ArrowUp', to: undefined },
])('$key leads from $from to $to', ({ from, key, path = [], to }) => {
  expect(neighbour(nodes, from, key, new Set(path))).toBe(to)
})
