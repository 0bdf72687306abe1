import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { applyEvent } from './apply-event.ts'
import { emptyState } from './state.ts'

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
    const after = applyEvent(state, next)
    activities.push(after.activity)
    return after
  }, emptyState)
  expect(activities.slice(-4)).toEqual(['tool a', 'tool b', 'tool a', 'thinking'])
})
