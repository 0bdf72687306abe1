import { expect, test } from 'vitest'
import { deepFreeze } from './deep-freeze.ts'

test('plain objects and lists are frozen to the bottom, and given back', () => {
  const value = { list: [{ deep: { n: 1 } }] }
  expect(deepFreeze(value)).toBe(value)
  expect([value, value.list, value.list[0], value.list[0]?.deep].every(Object.isFrozen)).toBe(true)
})

test('data that refers to itself comes to an end', () => {
  const ring: { self?: unknown } = {}
  ring.self = ring
  expect(Object.isFrozen(deepFreeze(ring))).toBe(true)
})

test('objects without a prototype are data', () => {
  const bare: object = Object.create(null)
  expect(Object.isFrozen(deepFreeze(bare))).toBe(true)
})

test.each([
  ['bytes', new Uint8Array(2)],
  ['a map', new Map([['a', {}]])],
  ['an instance of a class', new (class Place {})()],
])('%s is no data, and stays as it is', (_what, value) => {
  expect(Object.isFrozen(deepFreeze({ value }).value)).toBe(false)
})

test('a getter of messages is not read', () => {
  let reads = 0
  class Lazy {
    params = { deep: {} }
    constructor() {
      Object.defineProperty(this, 'messages', { enumerable: true, get: () => ++reads })
    }
  }
  const prompt = deepFreeze(new Lazy())
  expect([Object.isFrozen(prompt), Object.isFrozen(prompt.params.deep), reads]).toEqual([true, true, 0])
})

test.each([undefined, null, 1, 'text', true])('%j is given back', value => {
  expect(deepFreeze(value)).toBe(value)
})
