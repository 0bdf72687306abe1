import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { wireEvent } from './wire-event.ts'

const stamp = { conversationId: 'c', seq: 1, at: 1, turnId: 't' }
const started = { type: 'turn.started', parentId: undefined, ...stamp } as Event

test('a parent that is not there is null', () => {
  expect(wireEvent(started)).toEqual({ ...started, parentId: null })
})

test('an event with all its fields, or of a name of your own, is as it is', () => {
  const moved = { type: 'head.moved', from: 'a', to: 'b', ...stamp } as Event
  const own = { type: 'search.done', parentId: undefined, ...stamp } as unknown as Event
  expect([wireEvent(moved), wireEvent(own)]).toEqual([moved, own])
})

test('so is the event of a sub-agent, inside that of its caller', () => {
  const nested = { type: 'agent.event', callId: 'x', agent: 'helper', event: started, ...stamp } as unknown as Event
  expect(wireEvent(nested)).toMatchObject({ event: { type: 'turn.started', parentId: null } })
})
