import { expect, test } from 'vitest'
import { deepFreeze } from './deep-freeze.ts'
import { ownCopy } from './own-copy.ts'

test('a copy of frozen data can be changed in every part, and what was copied stays as it was', () => {
  const given = deepFreeze({ list: [1, { deep: 'a' }], none: null })
  const copy = ownCopy(given) as { list: unknown[]; more?: number }
  copy.list.push(2)
  Object.assign(copy.list[1] as object, { deep: 'b' })
  copy.more = 1
  expect(copy).toEqual({ list: [1, { deep: 'b' }, 2], none: null, more: 1 })
  expect(given).toEqual({ list: [1, { deep: 'a' }], none: null })
})

test('an instance of a class stays the one that it was', () => {
  const when = new Date(0)
  expect(ownCopy({ when }).when).toBe(when)
})

test('data that refers to itself is copied as it is', () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  const copy = ownCopy(ring)
  expect(copy).not.toBe(ring)
  expect(copy.self).toBe(copy)
})

test('a key named __proto__ is data, not a prototype', () => {
  const copy = ownCopy(JSON.parse('{"__proto__":{"admin":true}}') as object)
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})
