import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { IdleWatch } from './idle-watch.ts'

const told = (type: string, rest: object = {}): Event => ({ type, conversationId: 'c', at: 0, ...rest }) as Event

test('a call that runs is work, until it has a result', () => {
  const watch = new IdleWatch()
  watch.hear(told('tool.executing', { callId: 'a' }))
  watch.hear(told('tool.executing', { callId: 'b' }))
  watch.hear(told('tool.completed', { callId: 'a' }))
  expect(watch.isIdle).toBe(false)
  watch.hear(told('tool.failed', { callId: 'b' }))
  expect(watch.isIdle).toBe(true)
})

test('a call that a sub-agent works for is work only while a call of the sub-agent runs', () => {
  const watch = new IdleWatch()
  const below = (type: string) =>
    told('agent.event', { callId: 'a', agentConversationId: 'sub', event: told(type, { callId: 'x' }) })
  watch.hear(told('tool.executing', { callId: 'a' }))
  watch.hear(told('agent.started', { callId: 'a' }))
  expect(watch.isIdle).toBe(true)
  watch.hear(below('tool.executing'))
  expect(watch.isIdle).toBe(false)
  watch.hear(below('tool.completed'))
  expect(watch.isIdle).toBe(true)
})

test('of a sub-agent whose worker was lost nothing runs any more', () => {
  const watch = new IdleWatch()
  const below = (type: string) =>
    told('agent.event', { callId: 'a', agentConversationId: 'sub', event: told(type, { callId: 'x' }) })
  watch.hear(below('tool.executing'))
  watch.hear(told('tool.executing', { callId: 'b' }))
  watch.hear(below('turn.parked'))
  expect(watch.isIdle).toBe(false)
  watch.hear(told('tool.completed', { callId: 'b' }))
  expect(watch.isIdle).toBe(true)
})

test('of a sub-agent below one whose worker was lost nothing runs any more either', () => {
  const watch = new IdleWatch()
  const below = (event: Event) => told('agent.event', { callId: 'a', agentConversationId: 'sub', event })
  const inner = told('tool.executing', { callId: 'y' })
  watch.hear(below(told('agent.event', { callId: 'x', agentConversationId: 'inner', event: inner })))
  expect(watch.isIdle).toBe(false)
  watch.hear(below(told('turn.parked')))
  expect(watch.isIdle).toBe(true)
})

test('a call whose sub-agent was left before it has begun is no work', () => {
  const watch = new IdleWatch()
  watch.hear(told('tool.executing', { callId: 'a' }))
  watch.hear(told('agent.event', { callId: 'a', agentConversationId: 'sub', event: told('turn.parked') }))
  expect(watch.isIdle).toBe(true)
})
