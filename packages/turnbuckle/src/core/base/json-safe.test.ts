import { expect, test } from 'vitest'
import { jsonSafe } from './json-safe.ts'

test('plain data is copied', () => {
  const value = { list: [1, 'a', null, { deep: true }] }
  const copy = jsonSafe(value)
  expect(copy).toEqual(value)
  expect(copy.list).not.toBe(value.list)
})

test.each<[string, unknown, unknown]>([
  ['a big number', 12n, '12'],
  ['a map', new Map([['a', 1]]), { a: 1 }],
  ['a set', new Set([1, 2]), [1, 2]],
  ['an error', new Error('off'), 'off'],
  ['bytes', new Uint8Array(4), '[binary data, 4 bytes]'],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
])('%s becomes what JSON can say', (_what, value, said) => {
  expect(jsonSafe({ value })).toEqual({ value: said })
})

test('a value that refers to itself says so there', () => {
  const ring: Record<string, unknown> = { n: 1 }
  ring['self'] = ring
  expect(jsonSafe(ring)).toEqual({ n: 1, self: '[refers to itself]' })
})
