import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { node, treeOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { GoesOnBelow } from './goes-on-below.tsx'

const nodes = treeOf(node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'c'))

const Shared = (): ReactNode =>
  createElement(ReadOnlyContext, { value: true }, createElement(GoesOnBelow, { nodes, head: 'a' }))

test.each([
  { head: 'a', says: 'continues in 2 branches' },
  { head: 'c', says: 'continues in one branch' },
])('at $head it says: $says', ({ head, says }) => {
  expect(draw(GoesOnBelow, { nodes, head })).toContain(says)
})

test('below the end of a branch there is nothing to say', () => {
  expect(draw(GoesOnBelow, { nodes, head: 'd' })).toBe('')
  expect(draw(GoesOnBelow, { nodes, head: null })).toBe('')
})

test('who can only read is not told what writing would do', () => {
  expect(draw(Shared, {})).not.toContain('begins another')
  expect(draw(GoesOnBelow, { nodes, head: 'a' })).toContain('begins another')
})
