import { expect, test } from 'vitest'
import { conversation, givePage, node } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { revealMessage } from './reveal-message.ts'

const nodes = [node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'c')]

test.each([
  { id: 'a', moves: [] },
  { id: 'c', moves: ['d'] },
])('a look at $id from b moves the head to $moves and shows the chat', async ({ id, moves }) => {
  const heads: unknown[] = []
  givePage(
    { openId: 'c', mainPanel: 'tree', conversation: conversation({ nodes, head: 'b' }) },
    { changeConversation: async (_, { head }) => heads.push(head) as never },
  )
  await revealMessage(id)
  expect(heads).toEqual(moves)
  expect(useAppState.getState()).toMatchObject({ mainPanel: undefined, revealedMessage: id })
})
