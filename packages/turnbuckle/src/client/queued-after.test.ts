import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { queuedAfter } from './queued-after.ts'

const stamp = { conversationId: 'c', seq: 1, at: 1, turnId: 't' }
type Told = Extract<Event, { type: `interjection.${string}` }>
const after = (...events: readonly object[]) =>
  events.map(event => ({ ...stamp, ...event }) as unknown as Told).reduce(queuedAfter, [])
const queued = { type: 'interjection.queued' }

test('the first that was said is applied first, the last of a person is taken back first', () => {
  const said = [
    { ...queued, text: 'one' },
    { ...queued, text: 'two' },
    { ...queued, text: 'three', by: 'look' },
  ]
  expect(after(...said).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  expect(after(...said, { type: 'interjection.withdrawn', text: 'two' })).toMatchObject([
    { text: 'one' },
    { text: 'three', by: 'look' },
  ])
  expect(after(...said, { type: 'interjection.applied', text: 'one', messageId: 'm' })).toMatchObject([
    { text: 'two' },
    { text: 'three' },
  ])
})

test('taking back concerns the turn that it is told of', () => {
  const withdrawn = { type: 'interjection.withdrawn', text: 'one', turnId: 'other' }
  expect(after({ ...queued, text: 'one' }, withdrawn)).toMatchObject([{ turnId: 't', text: 'one' }])
})
