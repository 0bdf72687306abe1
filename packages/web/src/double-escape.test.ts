import { expect, test } from 'vitest'
import { doubleEscape } from './double-escape.ts'

test.each([
  { name: 'two within half a second fire', keys: ['Escape', 500, 'Escape'], fired: 1 },
  { name: 'two that are too far apart do not', keys: ['Escape', 501, 'Escape'], fired: 0 },
  { name: 'any other key in between resets', keys: ['Escape', 'a', 'Escape'], fired: 0 },
  { name: 'a third does not fire again', keys: ['Escape', 'Escape', 'Escape'], fired: 1 },
  { name: 'four fire twice', keys: ['Escape', 'Escape', 'Escape', 'Escape'], fired: 2 },
])('$name', ({ keys, fired }) => {
  let [now, count] = [0, 0]
  const press = doubleEscape(
    () => now,
    () => count++,
  )
  for (const key of keys) {
    if (typeof key === 'number') now += key
    else press(key)
  }
  expect(count).toBe(fired)
})
