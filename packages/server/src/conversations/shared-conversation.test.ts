import type { WireNode } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { sharedConversation, showsFile } from './shared-conversation.ts'

const node = (id: string, parentId: string | null, data = ''): WireNode => ({
  id,
  parentId,
  turnId: 't',
  createdAt: 1,
  cost: 3,
  message: { id, role: 'user', content: data ? [{ type: 'file', mediaType: 'image/png', data }] : [] },
})
const view = {
  id: 'c',
  title: 'Trip',
  head: 'c',
  seq: 1,
  at: 1,
  nodes: [node('a', null), node('b', 'a', 'turnbuckle-file:f'), node('c', 'a')],
  turns: [],
  requests: [],
  calls: [],
}
const link = { id: 's', by: 'ann', createdAt: 1 }

test('a branch is the path to its message, the tree is all; neither tells a cost', () => {
  const branch = sharedConversation(view, { ...link, what: 'branch', messageId: 'b' })
  expect(branch?.nodes.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(branch?.nodes[0]).not.toHaveProperty('cost')
  expect(sharedConversation(view, { ...link, what: 'tree' })?.nodes).toHaveLength(3)
  expect(sharedConversation(view, { ...link, what: 'branch', messageId: 'gone' })).toBeUndefined()
})

test('a file is shown with the branch that has it', () => {
  const shown = (messageId: string) => sharedConversation(view, { ...link, what: 'branch', messageId })
  expect([shown('b'), shown('c')].map(one => one && showsFile(one, 'f'))).toEqual([true, false])
})
