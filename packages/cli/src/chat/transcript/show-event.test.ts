import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { emptyChatState } from './chat-state.ts'
import { showEvent } from './show-event.ts'

const event = (type: string, callId: string, more: object = {}): Event =>
  ({ type, callId, name: `tool ${callId}`, args: {}, at: 0, conversationId: 'c', ...more }) as unknown as Event

test('while one of several calls still runs, the status line names it', () => {
  const ended = { status: 'ok', result: '', durationMs: 1 }
  const activities: string[] = []
  ;[
    event('tool.pending', 'a'),
    event('tool.pending', 'b'),
    event('tool.executing', 'a'),
    event('tool.executing', 'b'),
    event('tool.completed', 'b', ended),
    event('tool.completed', 'a', ended),
  ].reduce((state, next) => {
    const after = showEvent(state, next)
    activities.push(after.activity)
    return after
  }, emptyChatState)
  expect(activities.slice(-4)).toEqual(['tool a', 'tool b', 'tool a', 'thinking'])
})

test('a call has a card while it is being written, with its arguments when it is whole; withdrawn with its reply', () => {
  const writing = [
    event('tool.delta', 'a', { messageId: 'm', text: '{"x' }),
    event('tool.delta', 'a', { messageId: 'm' }),
  ]
  const card = { kind: 'tool', id: 'a', status: 'waiting', done: false }
  const begun = writing.reduce(showEvent, emptyChatState)
  expect(begun).toMatchObject({ activity: 'writing tool a', live: [card] })
  expect(showEvent(begun, event('tool.pending', 'a', { args: { x: 1 } })).live).toMatchObject([
    { ...card, args: { x: 1 } },
  ])
  expect(showEvent(begun, event('message.discarded', '', { messageId: 'm', reason: 'again' })).live).toEqual([])
})

test.each([
  { name: 'two replies', events: [{ cost: 0.5 }, { cost: 0.25 }], turn: 0.75, is: [0.75, false] },
  { name: 'a reply whose cost is not known', events: [{ cost: 0.5 }, {}], turn: undefined, is: [0.5, true] },
  { name: 'a reply that did not say what it used', events: [{ cost: 0.5 }], turn: undefined, is: [0.5, true] },
])('$name: the known cost, and whether a part is missing, are $is', ({ events, turn, is }) => {
  const tokens = { inputTokens: 1, outputTokens: 1 }
  const usage = turn === undefined ? tokens : { ...tokens, cost: turn }
  const told = [
    ...events.map(cost => event('usage', '', { ...tokens, ...cost })),
    event('turn.completed', '', { usage }),
  ]
  const { cost, isCostPartial } = told.reduce(showEvent, emptyChatState)
  expect([cost, isCostPartial]).toEqual(is)
})

const usage = { inputTokens: 1, outputTokens: 1 }
test.each([
  { by: 'a person', end: event('turn.interrupted', '', { usage }), mark: 'interrupted' },
  { by: 'a hook', end: event('turn.stopped', '', { usage, by: 'budget', reason: 'enough' }), mark: 'stopped' },
  {
    by: 'a lost connection',
    end: event('turn.failed', '', { usage, reason: 'The connection to a/b was cut' }),
    mark: 'cut off',
  },
  { by: 'its length', end: event('turn.completed', '', { usage }), mark: 'cut off' },
  {
    by: 'a hook that has it written again',
    end: event('message.started', '', { messageId: 'n', role: 'assistant' }),
    mark: 'cut off',
  },
])('a reply that is cut by $by is marked as $mark', ({ end, mark }) => {
  const cut = { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Hal' }], interrupted: true }
  const of = { messageId: 'm', role: 'assistant' }
  const [reply] = [event('message.started', '', of), event('message.added', '', { ...of, message: cut }), end].reduce(
    showEvent,
    emptyChatState,
  ).past
  expect(reply).toMatchObject({ kind: 'reply', text: 'Hal', cut: mark, done: true })
})
