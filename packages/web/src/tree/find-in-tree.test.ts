import { expect, test } from 'vitest'
import { node, reply, treeOf } from '../../test/conversation.ts'
import { findInTree } from './find-in-tree.ts'

const tree = treeOf(
  node('a', null, { text: 'Where is the Rope?' }),
  reply('b', 'a', [{ type: 'call', id: 'c', name: 'find_rope', args: {} }]),
  reply('c', 'b', [{ type: 'text', text: 'Below deck.' }]),
)

test.each([
  { query: ' rope ', found: ['a', 'b'] },
  { query: 'DECK', found: ['c'] },
  { query: 'sail', found: [] },
  { query: '  ', found: undefined },
])('"$query" finds $found', ({ query, found }) => expect(findInTree(tree, query)).toEqual(found))
