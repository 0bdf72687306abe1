import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { eventLine, wireJson } from './wire-json.ts'

test('bytes are base64; a parent, turn, head or title that is not there is null, any other field is left out', () => {
  const bytes = new Uint8Array([1, 2])
  expect(
    JSON.parse(wireJson({ bytes, parentId: undefined, turnId: undefined, to: undefined, text: undefined })),
  ).toEqual({
    bytes: 'AQI=',
    parentId: null,
    turnId: null,
    to: null,
  })
})

test('an event is written once for all its followers', () => {
  let written = 0
  const event = {
    type: 'usage',
    toJSON() {
      written++
      return { type: 'usage' }
    },
  } as unknown as Event
  expect([eventLine(event), eventLine(event)]).toEqual(['{"type":"usage"}', '{"type":"usage"}'])
  expect(written).toBe(1)
})
