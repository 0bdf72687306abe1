import { expect, test } from 'vitest'
import { none, without } from './lists.ts'

test('gives a new list without the member, and leaves the old one', () => {
  const list = ['a', 'b', 'c']
  expect(without(list, 'b')).toEqual(['a', 'c'])
  expect(list).toEqual(['a', 'b', 'c'])
})

test('members are told apart by identity', () => {
  const gone = {}
  const kept = {}
  expect(without([gone, kept], gone)).toEqual([kept])
  expect(without([kept], {})).toEqual([kept])
})

test('the shared empty list cannot be added to', () => {
  expect(none).toEqual([])
  expect(Reflect.set(none, 0, 'more')).toBe(false)
  expect(none).toHaveLength(0)
})
