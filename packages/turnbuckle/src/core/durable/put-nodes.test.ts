import { expect, test } from 'vitest'
import { pathOf, Tree } from '../history/tree.ts'
import type { LogNode } from './log-port.ts'
import { publicNode, putNodes, putPath } from './put-nodes.ts'

const node = (id: string, parent: string | undefined, depth: number): LogNode => ({
  id,
  parent,
  depth,
  turn: 't',
  at: depth,
  message: { id, role: 'user', content: [] },
  usage: undefined,
  state: undefined,
  hidden: false,
})
const ids = (tree: Tree, tip: string) => pathOf(tree.find(tip)).map(({ id }) => id)

test('all messages are put in the order of the log, also where a child comes before its parent', () => {
  const tree = new Tree()
  putNodes(tree, [node('b', 'a', 2), node('a', undefined, 1), node('c', 'a', 2)])
  expect(tree.nodes.map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  expect(ids(tree, 'c')).toEqual(['a', 'c'])
})

test('a message that is in memory stays the same node', () => {
  const tree = new Tree()
  putNodes(tree, [node('a', undefined, 1)])
  const known = tree.find('a')
  putNodes(tree, [node('a', undefined, 1), node('b', 'a', 2)])
  expect(tree.find('a')).toBe(known)
  expect(tree.find('b')?.parent).toBe(known)
})

test('a stretch of a path is put behind what is there, and gives its end', () => {
  const tree = new Tree()
  putNodes(tree, [node('a', undefined, 1)])
  expect(putPath(tree, [node('a', undefined, 1), node('b', 'a', 2), node('c', 'b', 3)])?.id).toBe('c')
  expect(ids(tree, 'c')).toEqual(['a', 'b', 'c'])
  expect(putPath(tree, [node('a', undefined, 1), node('b', 'a', 2)])?.id).toBe('b')
})

test('a public node has a cost only where the log has one', () => {
  const used = { ...node('a', undefined, 1), usage: { inputTokens: 1, outputTokens: 2 } }
  expect(publicNode(used)).not.toHaveProperty('cost')
  expect(publicNode({ ...used, usage: { ...used.usage, cost: 3 } })).toMatchObject({ cost: 3 })
})
