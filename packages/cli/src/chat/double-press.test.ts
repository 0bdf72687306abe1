import { expect, test } from 'vitest'
import { DoublePress } from './double-press.ts'

test.each([
  { presses: [0, 500], twice: [false, true] },
  { presses: [0, 501], twice: [false, false] },
  { presses: [0, 501, 900], twice: [false, false, true] },
  { presses: [0, 100, 200], twice: [false, true, false] },
])('pressed at $presses: $twice', ({ presses, twice }) => {
  let now = 0
  const key = new DoublePress(500, () => now)
  const heard = presses.map(at => {
    now = at
    return key.press()
  })
  expect(heard).toEqual(twice)
})

test('another key in between starts anew', () => {
  const key = new DoublePress(500, () => 0)
  key.press()
  key.reset()
  expect(key.press()).toBe(false)
})
