import { expect, test } from 'vitest'
import { copyPlain, freezePlain } from './plain-data.ts'

class Score {}

test.each<[string, unknown]>([
  ['a Map', new Map()],
  ['a Set', new Set()],
  ['a Date', new Date(0)],
  ['a Score', new Score()],
  ['a Promise', Promise.resolve()],
  ['a function', () => {}],
  ['a bigint', 1n],
  ['a symbol', Symbol('x')],
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
])('%s is refused, with its key', (kind, odd) => {
  expect(() => freezePlain({ list: [{ deep: odd }] }, 'state')).toThrow(`state.list[0].deep is ${kind}.`)
  expect(() => copyPlain({ deep: odd }, 'state')).toThrow(`state.deep is ${kind}.`)
})

test('plain data is frozen through and through, cycles included', () => {
  const data: Record<string, unknown> = {
    list: [{ n: 1 }],
    none: undefined,
    bare: Object.assign(Object.create(null), { a: 1 }),
  }
  data.self = data
  freezePlain(data, 'state')
  expect(Object.isFrozen((data.list as object[])[0])).toBe(true)
})

test('data that was refused is refused again', () => {
  const data = { list: [new Map()] }
  for (const _time of [1, 2]) expect(() => freezePlain(data, 'state')).toThrow('state.list[0] is a Map.')
})

test('parts shared with data from before are frozen, those that were not yet too', () => {
  const before = { kept: [{ n: 1 }], gone: 1 }
  const next = freezePlain({ kept: before.kept, more: [{ n: 2 }] }, 'state', before)
  expect([next.kept, next.kept[0], next.more[0]].every(Object.isFrozen)).toBe(true)
  expect(() => freezePlain({ ...next, more: [new Set()] }, 'state', next)).toThrow('state.more[0] is a Set.')
})

test('a copy is frozen, and what was given is not', () => {
  const given = { list: [1] }
  expect(copyPlain(given, 'state')).toEqual(given)
  expect(Object.isFrozen(given)).toBe(false)
})
