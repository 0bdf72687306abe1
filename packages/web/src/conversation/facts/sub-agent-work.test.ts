import { applyEvent, conversationState, type WireEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { wireConversation } from '../../../test/conversation.ts'
import { subAgentStatus, subAgentWork } from './sub-agent-work.ts'

const after = (...events: readonly { readonly type: string; readonly [member: string]: unknown }[]) =>
  events.reduce(
    (state, event) => applyEvent(state, { conversationId: 'c', turnId: 't', at: 1, ...event } as unknown as WireEvent),
    conversationState(wireConversation()),
  )
const started = { type: 'turn.started', seq: 1 }
const said = (id: string, content: readonly object[]) => ({
  type: 'message.added',
  messageId: id,
  role: 'assistant',
  message: { id, role: 'assistant', content },
})

test('texts and calls stand in the order they came, what grows last', () => {
  const state = after(
    started,
    said('m', [
      { type: 'text', text: 'Let me see.' },
      { type: 'call', id: 'a', name: 'look', args: { at: 'knots' } },
    ]),
    { type: 'tool.pending', callId: 'a', name: 'look' },
    { type: 'tool.completed', callId: 'a', name: 'look', status: 'ok', result: 1 },
    { type: 'message.delta', messageId: 'n', text: 'Five', offset: 0 },
  )
  expect(subAgentWork(state)).toMatchObject([
    { type: 'text', text: 'Let me see.', growing: false },
    { type: 'call', name: 'look', args: { at: 'knots' }, status: 'ok', inside: [] },
    { type: 'text', text: 'Five', growing: true },
  ])
  expect(subAgentStatus(state)).toBe('running')
})

test('a call that a sub-agent of its own works for holds that one', () => {
  const inner = { conversationId: 'd', turnId: 'u', at: 1 }
  const told = { type: 'agent.event', callId: 'a', agent: 'below', agentConversationId: 'd' }
  const state = after(
    started,
    said('m', [{ type: 'call', id: 'a', name: 'ask', args: {} }]),
    { ...told, event: { type: 'turn.started', seq: 1, ...inner } },
    { ...told, event: { type: 'message.delta', messageId: 'x', text: 'Deep', offset: 0, ...inner } },
  )
  const [call] = subAgentWork(state)
  const inside = call?.type === 'call' ? call.inside : []
  expect(inside.map(({ agent, state }) => [agent, subAgentWork(state)])).toMatchObject([
    ['below', [{ type: 'text', text: 'Deep' }]],
  ])
})

test('of a long work the end is shown', () => {
  const many = Array.from({ length: 50 }, (_, i) => said(`m${i}`, [{ type: 'text', text: `${i}` }]))
  const items = subAgentWork(after(started, ...many, said('last', [{ type: 'text', text: `${'x'.repeat(5000)}end` }])))
  expect(items).toHaveLength(30)
  expect(items.at(-1)).toMatchObject({ text: expect.stringMatching(/^…\n\nx+end$/) })
})

test('a long text is cut between lines, and a block of code that is cut goes on as code', () => {
  const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`).join('\n')
  const text = `Before.\n\n\`\`\`js\n${lines}\n\`\`\`\n\nAfter.`
  const [item] = subAgentWork(after(started, said('m', [{ type: 'text', text }])))
  expect(item).toMatchObject({ text: expect.stringMatching(/^…\n\n```js\nline \d+\n[\s\S]*\n```\n\nAfter\.$/) })
})
