import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conversation, givePage, node, wireConversation } from '../../test/conversation.ts'
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
    { status: 'offline' },
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
  expect(await sendMessage('hello', [])).toBe('new')
  expect(calls).toEqual(['create', 'open new', ['new', { text: 'hello' }]])
  await openConversation(undefined)
})

test.each([
  { name: 'at the head', parentId: undefined, turn: { text: 'hello' } },
  { name: 'at the root', parentId: null, turn: { text: 'hello', parentId: null } },
  { name: 'as a branch', parentId: 'm', turn: { text: 'hello', parentId: 'm' } },
])('a message is sent $name', async ({ parentId, turn }) => {
  const sent: unknown[] = []
  givePage({ openId: 'c', status: 'offline' }, { send: async (_, given) => sent.push(given) as never })
  await sendMessage('hello', [], parentId)
  expect(sent).toStrictEqual([turn])
})

test.each([
  { name: 'away from the head it goes to where the page looks', head: 'x', turn: { text: 'hello', parentId: 'a' } },
  { name: 'at the head the server says where that is', head: 'a', turn: { text: 'hello' } },
])('$name', async ({ head, turn }) => {
  const sent: unknown[] = []
  givePage(
    {
      openId: 'c',
      status: 'offline',
      conversation: conversation({ nodes: [node('a', null)], head: 'a' }),
      serverHead: { id: head, turnId: undefined },
    },
    { send: async (_, given) => sent.push(given) as never },
  )
  await sendMessage('hello', [])
  expect(sent).toStrictEqual([turn])
})
