import { expect, test } from 'vitest'
import type { ConversationCore } from '../types/conversation-core.ts'
import type { UnfinishedTurn } from '../types/unfinished-turn.ts'
import { toldEvents } from './told-events.ts'

const conversation = { id: 'c', clock: { now: () => 7 } } as ConversationCore
const started = { type: 'turn.started', parentId: undefined, conversationId: 'c', seq: 1, at: 1, turnId: 't' } as const
const told = (partial?: { messageId: string; text: string; reasoning: string }) =>
  toldEvents({ turnId: 't', events: [started], partial } as unknown as UnfinishedTurn, conversation)
const shown = (text: string) => ({
  type: 'message.text',
  conversationId: 'c',
  at: 7,
  turnId: 't',
  messageId: 'm',
  text,
  offset: 0,
})

test('a turn without a growing reply has told its events', () => {
  expect(told()).toEqual([started])
})

test('the text of a growing reply comes last, in one piece', () => {
  expect(told({ messageId: 'm', text: 'Hel', reasoning: '' })).toEqual([started, shown('Hel')])
})

test('the reasoning comes before the text, and is marked', () => {
  expect(told({ messageId: 'm', text: 'Hel', reasoning: 'Hm' })).toEqual([
    started,
    { ...shown('Hm'), reasoning: true },
    shown('Hel'),
  ])
})
