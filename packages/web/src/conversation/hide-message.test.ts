import { expect, test } from 'vitest'
import { conversation, givePage, node, treeOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { countBelow, hideMessage, restoreMessage } from './hide-message.ts'

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

test('the notice goes once its message is shown again from elsewhere, and no other notice does', async () => {
  givePage(
    { openId: 'c', conversation: conversation({ nodes, head: 'c' }) },
    { hideMessage: async () => {}, restoreMessage: async () => {} },
  )
  await hideMessage('b')
  await restoreMessage('c', 'd')
  expect(useAppState.getState().notice).toBeDefined()
  await restoreMessage('c', 'b')
  expect(useAppState.getState().notice).toBeUndefined()
})

test('an undo leaves the place in another conversation, which is open by then', async () => {
  const heads: unknown[] = []
  givePage(
    { openId: 'c', conversation: conversation({ nodes, head: 'c' }) },
    {
      hideMessage: async () => {},
      restoreMessage: async () => {},
      changeConversation: async (...args) => heads.push(args) as never,
    },
  )
  await hideMessage('b')
  const other = conversation({ id: 'o', nodes: [node('x', null)], head: 'x' })
  useAppState.setState({ openId: 'o', conversation: other })
  useAppState.getState().notice?.action?.run()
  await new Promise(resolve => setImmediate(resolve))
  expect(heads).toEqual([['c', { head: 'c' }]])
  expect(useAppState.getState().conversation?.head).toBe('x')
})
