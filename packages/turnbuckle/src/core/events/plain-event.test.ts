import { expect, test } from 'vitest'
import { ownEvent } from './news.ts'
import { plainEvent } from './plain-event.ts'

test('values that JSON says otherwise are as the log will have them', () => {
  const event = ownEvent({ type: 'search.done', at: new Date(0), big: 1n, none: undefined, list: [undefined] })
  expect(plainEvent(event)).toStrictEqual({
    type: 'search.done',
    at: '1970-01-01T00:00:00.000Z',
    big: '1',
    list: [null],
  })
})

test('a field that an event always has stays, though nothing is in it', () => {
  const answered = { type: 'request.answered' as const, requestId: 'r', kind: 'own', decision: undefined }
  expect(plainEvent(answered)).toStrictEqual(answered)
})

test("the loop's own events are plain, and not copied", () => {
  const event = { type: 'title.changed' as const, from: undefined, to: 'x' }
  expect(plainEvent(event)).toBe(event)
})
