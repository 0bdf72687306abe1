import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonical, fingerprint } from './canonical.ts'

test('the order of keys does not matter, the order of a list does', () => {
  expect(canonical({ b: [1, 2], a: { d: 1, c: 2 } })).toBe(canonical({ a: { c: 2, d: 1 }, b: [1, 2] }))
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]))
})

test('what JSON leaves out is left out, and what knows its JSON gives it', () => {
  expect(canonical({ a: undefined, at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
  expect(canonical(undefined)).toBe('null')
})

test('it is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('texts that differ in one character have other fingerprints', () => {
  expect(fingerprint('one text')).toBe(fingerprint('one text'))
  expect(fingerprint('one text')).not.toBe(fingerprint('one test'))
})
