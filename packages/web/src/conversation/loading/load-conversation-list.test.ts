import type { ConversationSummary } from 'turnbuckle/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage } from '../../../test/conversation.ts'
import { useAppState } from '../../state/app-state.ts'
import { changeConversationList } from './load-conversation-list.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { pathname: '/c/b' })
  vi.stubGlobal('history', { pushState: vi.fn() })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const summary = (id: string, updatedAt: number) => ({ id, updatedAt, running: true }) as ConversationSummary
const queued = { id: 'q', conversationId: 'b', text: 'later', files: [] }
const listed = () => useAppState.getState().list?.map(({ id }) => id)

test('a changed conversation moves to its place by time, and is there once', () => {
  givePage({ list: [summary('a', 2), summary('b', 1)] })
  changeConversationList({ type: 'conversation.changed', conversation: summary('b', 3) } as never)
  expect(listed()).toEqual(['b', 'a'])
})

test('the open conversation of a sub-agent does not come into the list', () => {
  const caller = { conversationId: 'a', title: 'A', agent: 'scout', messageId: 'm' }
  givePage({ list: [summary('a', 2)], openId: 'b', conversation: conversation({ id: 'b', caller }) })
  changeConversationList({ type: 'conversation.changed', conversation: summary('b', 3) } as never)
  expect(listed()).toEqual(['a'])
})

test.each([
  { name: 'that failed is read whole at the next change', isListMissing: true, read: 1 },
  { name: 'that is being read is not read twice', isListMissing: false, read: 0 },
])('a list $name: one conversation is not the list', ({ isListMissing, read }) => {
  const listConversations = vi.fn(() => new Promise<never>(() => {}))
  givePage({ isListMissing }, { listConversations })
  changeConversationList({ type: 'conversation.changed', conversation: summary('b', 3) } as never)
  expect(listConversations).toHaveBeenCalledTimes(read)
  expect(listed()).toBeUndefined()
})

test('a deleted conversation takes its queued messages along; an open one is left, with a notice', () => {
  givePage({ list: [summary('a', 2), summary('b', 1)], openId: 'b', queuedMessages: [queued] })
  changeConversationList({ type: 'conversation.deleted', conversationId: 'b' })
  expect(listed()).toEqual(['a'])
  expect(useAppState.getState()).toMatchObject({
    openId: undefined,
    queuedMessages: [],
    notice: { text: 'This conversation was deleted.', tone: 'news' },
  })
})
