import { expect, test } from 'vitest'
import { conversation, givePage, node } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { revealMessage } from './reveal-message.ts'

const nodes = [node('a', null), node('b', 'a'), node('c', 'a'), node('d', 'c')]

test.each([
  { id: 'a', head: 'b' },
  { id: 'c', head: 'd' },
])('a look at $id from b leads to $head and shows the chat', ({ id, head }) => {
  givePage({ openId: 'c', mainPanel: 'tree', conversation: conversation({ nodes, head: 'b' }) })
  revealMessage(id)
  expect(useAppState.getState()).toMatchObject({
    mainPanel: undefined,
    revealedMessage: id,
    conversation: { head },
    serverHead: { id: null },
  })
})
