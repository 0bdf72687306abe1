import { expect, test } from 'vitest'
import { conversation, givePage, node, treeOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { countBelow, hideMessage } from './hide-message.ts'

const nodes = [node('a', null), node('b', 'a'), node('c', 'b'), node('d', 'a')]

test('a message is counted with all below it', () => {
  expect(['a', 'b', 'd'].map(id => countBelow(treeOf(...nodes), id))).toEqual([4, 2, 1])
})

test('the notice says how many are hidden, and its undo restores them and the head', async () => {
  const made: unknown[] = []
  givePage(
    { openId: 'c', conversation: conversation({ nodes, head: 'c' }) },
    {
      hideMessage: async (...args) => void made.push(['hide', ...args]),
      restoreMessage: async (...args) => void made.push(['restore', ...args]),
      changeConversation: async (...args) => made.push(['head', ...args]) as never,
    },
  )
  await hideMessage('b')
  const { notice } = useAppState.getState()
  expect(notice).toMatchObject({ text: '2 messages are hidden.', tone: 'news' })
  notice?.action?.run()
  await new Promise(resolve => setImmediate(resolve))
  expect(made).toEqual([
    ['hide', 'c', 'b'],
    ['restore', 'c', 'b'],
    ['head', 'c', { head: 'c' }],
  ])
})
