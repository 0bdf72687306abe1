import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('members of objects are in one order, at any depth; lists keep theirs', () => {
  const one = canonicalJson({ b: [{ d: 1, c: 2 }, 3], a: null })
  expect(one).toBe('{"a":null,"b":[{"c":2,"d":1},3]}')
  expect(canonicalJson({ a: null, b: [{ c: 2, d: 1 }, 3] })).toBe(one)
})

test('undefined has a text of its own', () => {
  expect(canonicalJson(undefined)).toBe('undefined')
  expect(canonicalJson({ a: undefined })).toBe('{}')
})

test('values that JSON refuses are put into words, and nothing is thrown', () => {
  const ring: Record<string, unknown> = { big: 1n }
  ring['self'] = ring
  expect(canonicalJson(ring)).toBe('{"big":"1","self":"[refers to itself]"}')
})
