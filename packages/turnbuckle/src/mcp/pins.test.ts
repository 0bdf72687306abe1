import { expect, test } from 'vitest'
import { isReadOnly, pinOf } from './pins.ts'

const echo = { name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: {} } }
const reading = { ...echo, annotations: { readOnlyHint: true } }

test('a pin is the same whatever the order of keys, and another one for another description', async () => {
  const pin = await pinOf(echo)
  expect(await pinOf({ ...echo, inputSchema: { properties: {}, type: 'object' } })).toBe(pin)
  expect(await pinOf({ ...echo, description: 'Sends it.' })).not.toBe(pin)
})

test('a tool that says from now on that it only reads is a changed one', async () => {
  expect([isReadOnly(echo), isReadOnly(reading)]).toEqual([false, true])
  expect(await pinOf(reading)).not.toBe(await pinOf(echo))
  expect(await pinOf({ ...echo, annotations: { readOnlyHint: false } })).toBe(await pinOf(echo))
})
