import type { Conversation, Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { emptyChatState } from './chat-state.ts'
import { showRecorded } from './show-recorded.ts'

const user = (id: string) => ({ id, role: 'user', content: [{ type: 'text', text: id }] })
const event = (more: object) => ({ turnId: 't', conversationId: 'c', at: 0, ...more }) as unknown as Event
const told = [
  event({ type: 'message.added', messageId: 'second', message: user('second') }),
  event({ type: 'usage', messageId: 'm', inputTokens: 5, outputTokens: 5 }),
  event({ type: 'message.started', messageId: 'm', role: 'assistant' }),
  event({ type: 'message.text', messageId: 'm', text: 'half', offset: 0 }),
]
const conversation = (unfinished: readonly string[]) =>
  ({
    id: 'c',
    messages: [user('first'), user('second')],
    tree: [],
    unfinished,
    told: () => told,
  }) as unknown as Conversation

test('recorded messages are shown in order', () => {
  const { state, cut } = showRecorded(emptyChatState, conversation([]))
  expect(state.past.map(({ id }) => id)).toEqual(['first', 'second'])
  expect(cut).toEqual([])
})

test('an unfinished turn is shown up to its last text, cut off, and is not counted', () => {
  const { state, cut } = showRecorded(emptyChatState, conversation(['t']))
  expect(state.past).toMatchObject([{ id: 'first' }, { id: 'second' }, { id: 'm', text: 'half', cut: 'cut off' }])
  expect(cut.map(({ id }) => id)).toEqual(['second', 'm'])
  expect([state.live, state.tokens]).toEqual([[], 0])
})
