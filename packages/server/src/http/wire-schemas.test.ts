import type { Message } from 'turnbuckle'
import type { WireCall, WireTurnStatus } from 'turnbuckle/client'
import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { attachment, type call, message, newTurn, type turn } from './wire-schemas.ts'

const png = { mediaType: 'image/png', data: 'AQI=' }

test.each([
  { what: 'text', turn: { text: 'hi' }, valid: true },
  { what: 'a file without text', turn: { text: '', attachments: [png] }, valid: true },
  { what: 'a new beginning', turn: { text: 'hi', parentId: null }, valid: true },
  { what: 'neither text nor file', turn: { text: '  ' }, valid: false },
  { what: 'twenty-one files', turn: { text: 'hi', attachments: Array(21).fill(png) }, valid: false },
])('a turn of $what is valid: $valid', ({ turn, valid }) => {
  expect(newTurn.safeParse(turn).success).toBe(valid)
})

test.each([
  { data: '', valid: true },
  { data: 'AQI', valid: true },
  { data: 'AQIDB', valid: false },
  { data: 'no base64!', valid: false },
])('$data is base64: $valid', ({ data, valid }) => {
  expect(attachment.safeParse({ ...png, data }).success).toBe(valid)
})

test('a message keeps who wrote it and whether it was cut', () => {
  const cut: Message = { id: 'm1', role: 'assistant', content: [], interrupted: true, by: 'closing' }
  expect(message.parse(cut)).toEqual(cut)
})

test('every status of the wire is in the schemas', () => {
  expectTypeOf<z.output<typeof turn>['status']>().toEqualTypeOf<WireTurnStatus>()
  expectTypeOf<z.output<typeof call>['status']>().toEqualTypeOf<WireCall['status']>()
  expectTypeOf<z.output<typeof message>['role']>().toEqualTypeOf<Message['role']>()
})
