import { expect, test } from 'vitest'
import { node, treeOf } from '../../../test/conversation.ts'
import { childrenOf, newestLeaf, pathTo, sharedLength, siblingsOf } from './message-tree.ts'

/** Below a: b and c. Below c: d and e. The parent of f is missing. */
const tree = treeOf(node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'c'), node('e', 'c'), node('f', 'gone'))
const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id).join('')

test.each([
  { head: null, path: '' },
  { head: 'a', path: 'a' },
  { head: 'd', path: 'acd' },
  { head: 'f', path: 'f' },
  { head: 'unknown', path: '' },
])('the path to $head is "$path"', ({ head, path }) => expect(ids(pathTo(tree, head))).toBe(path))

test('children are in the order they were recorded', () => {
  const children = childrenOf(tree)
  expect([...children].map(([parent, nodes]) => `${parent}:${ids(nodes)}`)).toEqual([
    'null:a',
    'a:bc',
    'c:de',
    'gone:f',
  ])
  expect(childrenOf(tree)).toBe(children)
})

test.each([
  { from: 'a', leaf: 'e' },
  { from: 'b', leaf: 'b' },
  { from: 'c', leaf: 'e' },
])('the newest leaf below $from is $leaf', ({ from, leaf }) => expect(newestLeaf(tree, from)).toBe(leaf))

test('a message that the tree does not hold is its own only sibling', () => {
  expect(ids(siblingsOf(tree, node('d', 'c')))).toBe('de')
  expect(ids(siblingsOf(tree, node('x', 'nowhere')))).toBe('x')
})

test.each([
  { a: 'd', b: 'e', shared: 2 },
  { a: 'b', b: 'e', shared: 1 },
  { a: 'c', b: 'e', shared: 2 },
  { a: 'b', b: 'f', shared: 0 },
])('the paths to $a and $b share $shared messages', ({ a, b, shared }) => {
  expect(sharedLength(pathTo(tree, a), pathTo(tree, b))).toBe(shared)
})
