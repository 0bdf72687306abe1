import type { WireNode } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { treeRows } from './tree-rows.ts'

const node = (id: string, parentId: string | null): [string, WireNode] => [
  id,
  { id, parentId, turnId: null, createdAt: 0, message: { id, role: 'user', content: [] } } as unknown as WireNode,
]

test('the first message behind another stays in its lane, each further one opens a lane', () => {
  const nodes = new Map([
    node('a', null),
    node('b', 'a'),
    node('c', 'b'),
    node('d', 'a'),
    node('e', 'd'),
    node('f', 'a'),
  ])
  expect(treeRows({ nodes }).map(({ node, lane, parent }) => [node.id, lane, parent?.row])).toEqual([
    ['a', 0, undefined],
    ['b', 0, 0],
    ['c', 0, 1],
    ['d', 1, 0],
    ['e', 1, 3],
    ['f', 2, 0],
  ])
})
