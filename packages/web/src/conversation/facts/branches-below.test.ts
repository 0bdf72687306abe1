import { expect, test } from 'vitest'
import { node, reply, treeOf } from '../../../test/conversation.ts'
import { branchesBelow } from './branches-below.ts'

const tree = treeOf(
  node('a', null, { text: 'Where to?' }),
  node('b', 'a', { text: ' By boat ' }),
  node('c', 'a'),
  node('d', 'c', { text: 'By train' }),
)

test('a branch is told by its first words and its number of messages, and leads to its newest leaf', () => {
  expect(branchesBelow(tree, 'a')).toEqual([
    { id: 'b', words: 'By boat', count: 1, leaf: 'b' },
    { id: 'c', words: 'By train', count: 2, leaf: 'd' },
  ])
})

test('below the end of a branch there is none', () => expect(branchesBelow(tree, 'd')).toEqual([]))

test('the words of a reply have no marks of Markdown', () => {
  const text = '# The crossing\nIs **long**.'
  const [branch] = branchesBelow(treeOf(node('a', null), reply('b', 'a', [{ type: 'text', text }])), 'a')
  expect(branch?.words).toBe('The crossing\nIs long.')
})
