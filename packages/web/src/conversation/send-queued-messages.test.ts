import { ClientError, type ConversationSummary } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage, node, runningTurnOf } from '../../test/conversation.ts'
import { useAppState } from '../state/app-state.ts'
import { queueMessage, sendQueuedMessages } from './send-queued-messages.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const queued = (id: string, conversationId: string) => ({ id, conversationId, text: `text ${id}`, files: [] })
const summary = (id: string, running: boolean) => ({ id, running }) as ConversationSummary
const waiting = () => useAppState.getState().queuedMessages.map(({ id }) => id)

test('the first message of each conversation in which no turn runs is sent, under its own key', async () => {
  const sent: unknown[] = []
  givePage(
    {
      list: [summary('free', false), summary('busy', true)],
      queuedMessages: [queued('1', 'free'), queued('2', 'busy'), queued('3', 'free'), queued('4', 'unknown')],
    },
    {
      async send(id, turn, key) {
        sent.push([id, 'text' in turn && turn.text, key])
        return { turnId: 't', seq: 1 }
      },
    },
  )
  sendQueuedMessages()
  sendQueuedMessages()
  await vi.waitFor(() => expect(waiting()).toEqual(['2', '3', '4']))
  expect(sent).toEqual([['free', 'text 1', '1']])
})

test('the open conversation is judged by its own state, not by the list', () => {
  const open = conversation({ nodes: [node('a', null)], head: 'a', turns: [runningTurnOf('t', null)] })
  givePage({ list: [summary('c', false)], conversation: open, queuedMessages: [queued('1', 'c')] })
  sendQueuedMessages()
  expect(waiting()).toEqual(['1'])
})

test('nothing is sent while the server is away', () => {
  givePage({ status: 'offline', list: [summary('c', false)], queuedMessages: [queued('1', 'c')] })
  sendQueuedMessages()
  expect(waiting()).toEqual(['1'])
})

test.each(['turn.running', 'server.unreachable'])('a message refused as %s stays queued', async code => {
  const send = vi.fn(() => Promise.reject(new ClientError(code, 'Not now.', 409)))
  givePage({ list: [summary('c', false)], queuedMessages: [queued('1', 'c')] }, { send })
  sendQueuedMessages()
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
  await Promise.resolve()
  expect(waiting()).toEqual(['1'])
})

test('a message that is refused for good goes back into the draft of its conversation, with a notice', async () => {
  const file = { key: 'k', name: 'a.txt', mediaType: 'text/plain', id: 'f' }
  givePage(
    {
      openId: 'other',
      list: [summary('c', false)],
      draft: { text: 'elsewhere', files: [], pastes: [] },
      drafts: { c: { text: 'typing', files: [], pastes: [] } },
      queuedMessages: [{ ...queued('1', 'c'), files: [file] }],
    },
    { send: () => Promise.reject(new ClientError('input.invalid', 'Too long.', 400)) },
  )
  sendQueuedMessages()
  await vi.waitFor(() => expect(waiting()).toEqual([]))
  expect(useAppState.getState()).toMatchObject({
    draft: { text: 'elsewhere', files: [], pastes: [] },
    drafts: { c: { text: 'typing\ntext 1', files: [file], pastes: [] } },
    notice: { text: 'Too long.' },
  })
})

test('a message is queued for the conversation that is open', () => {
  givePage({ openId: 'c' })
  queueMessage('hello', [])
  expect(useAppState.getState().queuedMessages).toMatchObject([{ conversationId: 'c', text: 'hello' }])
})

test('a message that was queued on a branch goes to its end, though another is looked at', async () => {
  const sent: unknown[] = []
  const nodes = [node('a', null, { turnId: 't1' }), node('b', 'a', { turnId: 't1' }), node('c', 'a', { turnId: 't2' })]
  givePage(
    { conversation: conversation({ nodes, head: 'c' }), queuedMessages: [{ ...queued('1', 'c'), turnId: 't1' }] },
    { send: async (_, turn) => sent.push(turn) as never },
  )
  sendQueuedMessages()
  await vi.waitFor(() => expect(waiting()).toEqual([]))
  expect(sent).toEqual([{ text: 'text 1', parentId: 'b' }])
})
