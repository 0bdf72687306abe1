import { expect, test } from 'vitest'
import { node, reply, treeOf } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { HeadBar } from './head-bar.tsx'

const nodes = treeOf(
  node('a', null, { text: 'Hello.' }),
  node('b', 'a'),
  reply('c', 'a', [{ type: 'text', text: '# Tides *rise*' }]),
)

test.each([
  { head: 'a', says: 'Hello.' },
  { head: 'b', says: 'user' },
  { head: 'c', says: 'Tides rise' },
])('the bar says where one is: $says', ({ head, says }) => {
  expect(draw(HeadBar, { nodes, head })).toContain(`<strong>You are here:</strong> ${says}`)
})

test('a head that is not in the tree has no bar', () => {
  expect(draw(HeadBar, { nodes, head: 'gone' })).toBe('')
})
