import { applyEvent, type ConversationState, conversationState, type WireEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { subAgentText } from './sub-agent-text.ts'

const empty = conversationState({
  id: 'c',
  title: '',
  head: null,
  seq: 0,
  at: 0,
  nodes: [],
  turns: [],
  requests: [],
  calls: [],
})
const inside = (agentConversationId: string, callId: string, turnId: string, event: object) => ({
  type: 'agent.event',
  agent: agentConversationId,
  agentConversationId,
  callId,
  turnId,
  event: { turnId: `${agentConversationId}-turn`, at: 1, ...event },
})
const view = (...events: readonly object[]): ConversationState =>
  events.reduce<ConversationState>((state, event) => applyEvent(state, { at: 1, ...event } as WireEvent), empty)
const call = (callId: string, name: string) => ({ callId, messageId: 'm', name, args: { q: callId } })

const search = inside('scout', 'a', 't', { type: 'tool.executing', ...call('1', 'search') })
const found = inside('scout', 'a', 't', { type: 'tool.completed', ...call('1', 'search'), status: 'ok', result: 2 })
const says = inside('scout', 'a', 't', {
  type: 'message.delta',
  messageId: 'x',
  text: 'Two\nfiles \u001b[31mfound',
  offset: 0,
})

test('a call has the calls and the text of its sub-agent below it', () => {
  expect(subAgentText(view(search), 't', 'a')).toBe('scout: ◐ search {"q":"1"}')
  expect(subAgentText(view(search, found, says), 't', 'a')).toBe('scout: ✓ search {"q":"1"}\nscout: files found')
})

test('sub-agents of sub-agents are indented, and only the latest lines are shown', () => {
  const below = inside('helper', '2', 'scout-turn', { type: 'tool.executing', ...call('3', 'read') })
  const asks = inside('scout', 'a', 't', { type: 'tool.executing', ...call('2', 'help') })
  const nested = inside('scout', 'a', 't', below)
  expect(subAgentText(view(search, found, asks, nested), 't', 'a').split('\n')).toEqual([
    'scout: ✓ search {"q":"1"}',
    'scout: ◐ help {"q":"2"}',
    '  helper: ◐ read {"q":"3"}',
  ])
  const many = ['1', '2', '3', '4', '5', '6', '7'].map(id =>
    inside('scout', 'a', 't', { type: 'tool.pending', ...call(id, 'look') }),
  )
  const lines = subAgentText(view(...many), 't', 'a').split('\n')
  expect(lines.at(-1)).toBe('scout: ○ look')
  expect(lines).toHaveLength(5)
})

test('another call, and a turn that has ended, have none', () => {
  expect(subAgentText(view(search), 't', 'b')).toBe('')
  const end = { type: 'turn.completed', turnId: 't', outcome: 'completed', reason: '', by: '', text: '', usage: {} }
  expect(subAgentText(view(search, end), 't', 'a')).toBe('')
})
