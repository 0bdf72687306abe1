import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { type AgUiEvent, AgUiTranslation } from './ag-ui-translation.ts'

/** The AG-UI events of a run. */
function translated(...events: readonly (readonly [type: string, more: object])[]): readonly AgUiEvent[] {
  const told: AgUiEvent[] = []
  const translation = new AgUiTranslation(event => told.push(event), { threadId: 'c', runId: 'r' })
  for (const [type, more] of events) translation.add({ type, conversationId: 'c', at: 0, ...more } as unknown as Event)
  return told
}
const types = (events: readonly AgUiEvent[]): string[] => events.map(({ type }) => type)
const reply = (content: readonly object[]) => ({ message: { id: 'm', role: 'assistant', content } })

test('text that grows is one message; its end comes when it is recorded', () => {
  const told = translated(
    ['message.delta', { messageId: 'm', text: 'He', offset: 0 }],
    ['message.delta', { messageId: 'm', text: 'y', offset: 2 }],
    ['message.added', reply([{ type: 'text', text: 'Hey' }])],
    ['turn.completed', { outcome: 'completed', reason: 'done', text: 'Hey' }],
  )
  expect(types(told)).toEqual([
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
})

test('a message that was not shown while it grew is told whole', () => {
  const told = translated(['message.added', reply([{ type: 'text', text: 'Hey' }])])
  expect(told).toContainEqual({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hey' })
})

test('a client that missed a part of what grew is told the rest, of each text once', () => {
  const call = { type: 'call', id: 'a', name: 'add', args: { a: 1, b: 'x  "y' } }
  const told = translated(
    ['message.delta', { messageId: 'm', text: 'Let', offset: 0, reasoning: true }],
    ['message.delta', { messageId: 'm', text: 'He', offset: 0 }],
    ['message.text', { messageId: 'm', text: 'Hey yo', offset: 0 }],
    ['tool.delta', { messageId: 'm', callId: 'a', name: 'add', text: '{ "a": 1, "b": "x  \\"', offset: 0 }],
    ['message.added', reply([{ type: 'reasoning', text: 'Let me' }, { type: 'text', text: 'Hey you' }, call])],
  )
  const deltas = (type: string) => told.flatMap(event => (event.type === type ? [event.delta] : []))
  expect(deltas('REASONING_MESSAGE_CONTENT')).toEqual(['Let', ' me'])
  expect(deltas('TEXT_MESSAGE_CONTENT')).toEqual(['He', 'y yo', 'u'])
  expect(JSON.parse(deltas('TOOL_CALL_ARGS').join(''))).toEqual(call.args)
  expect(types(told)).not.toContain('CUSTOM')
})

test('arguments that were changed after they were told are told in an event of their own', () => {
  const call = { type: 'call', id: 'a', name: 'add', args: { a: 2 } }
  const told = translated(
    ['tool.delta', { messageId: 'm', callId: 'a', name: 'add', text: '{"a":1}', offset: 0 }],
    ['message.added', reply([call])],
  )
  expect(told.at(-1)).toEqual({ type: 'CUSTOM', name: 'tool.args', value: { toolCallId: 'a', args: { a: 2 } } })
})

test('after its end a run tells nothing more', () => {
  const told = translated(
    ['turn.failed', { outcome: 'failed', reason: 'no', error: 'broken' }],
    ['message.delta', { messageId: 'm', text: 'late', offset: 0 }],
  )
  expect(told).toEqual([{ type: 'RUN_ERROR', message: 'broken', code: 'turn.failed' }])
})
