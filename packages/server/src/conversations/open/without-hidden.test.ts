import type { Node } from 'turnbuckle'
import { expect, test } from 'vitest'
import { subtree, withoutHidden } from './without-hidden.ts'

const tree = Object.entries({ a: undefined, b: 'a', c: 'b', d: 'a', e: undefined }).map(
  ([id, parentId]) => ({ id, parentId }) as unknown as Node,
)

test('a hidden message is gone with all below it, and its siblings stay', () => {
  expect(withoutHidden(tree, new Set(['b'])).map(({ id }) => id)).toEqual(['a', 'd', 'e'])
})

test('without hidden messages the tree is the same', () => {
  expect(withoutHidden(tree, new Set())).toBe(tree)
})

test('a subtree is a message and all below it', () => {
  expect([...subtree(tree, new Set(['a']))]).toEqual(['a', 'b', 'c', 'd'])
})
