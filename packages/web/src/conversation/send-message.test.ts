import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { givePage, wireConversation } from '../../test/conversation.ts'
import { openConversation } from './open-conversation.ts'
import { sendMessage } from './send-message.ts'

beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/' })
  vi.stubGlobal('history', { pushState: vi.fn() })
})
afterEach(() => vi.unstubAllGlobals())

test('a first message creates and opens its conversation', async () => {
  const calls: unknown[] = []
  givePage(
    {},
    {
      async createConversation() {
        calls.push('create')
        return { id: 'new', head: null }
      },
      async conversation(id) {
        calls.push(`open ${id}`)
        return wireConversation({ id })
      },
      follow: () => () => {},
      async send(id, turn) {
        calls.push([id, turn])
        return { turnId: 't', seq: 1 }
      },
    },
  )
  expect(await sendMessage('hello', [])).toBe(true)
  expect(calls).toEqual(['create', 'open new', ['new', { text: 'hello' }]])
  await openConversation(undefined)
})

test.each([
  { name: 'at the head', parentId: undefined, turn: { text: 'hello' } },
  { name: 'at the root', parentId: null, turn: { text: 'hello', parentId: null } },
  { name: 'as a branch', parentId: 'm', turn: { text: 'hello', parentId: 'm' } },
])('a message is sent $name', async ({ parentId, turn }) => {
  const sent: unknown[] = []
  givePage({ openId: 'c' }, { send: async (_, given) => sent.push(given) as never })
  await sendMessage('hello', [], parentId)
  expect(sent).toStrictEqual([turn])
})
