import { expect, test } from 'vitest'
import { without } from './lists.ts'

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
