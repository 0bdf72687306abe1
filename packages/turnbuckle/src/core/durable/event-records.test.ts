import { expect, test } from 'vitest'
import type { Event } from '../events/events.ts'
import { eventOf, recordOf } from './event-records.ts'

test.each([
  { turnId: 't', what: 'of a turn' },
  { turnId: undefined, what: 'outside of turns' },
])('an event $what comes back from its record as it was', ({ turnId }) => {
  const event = {
    type: 'title.changed',
    from: undefined,
    to: 'A title',
    conversationId: 'c',
    seq: 3,
    at: 5,
    ...(turnId ? { turnId } : {}),
  } as Event
  expect(recordOf(event)).toEqual({ seq: 3, turn: turnId, type: 'title.changed', body: { to: 'A title', at: 5 } })
  expect(eventOf(recordOf(event), 'c')).toEqual(event)
})
