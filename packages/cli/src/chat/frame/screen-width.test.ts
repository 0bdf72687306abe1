import { expect, test } from 'vitest'
import { screenWidth } from './screen-width.ts'

test.each([
  [10, 20],
  [80, 79],
  [300, 100],
])('of %d columns %d are used', (columns, width) => {
  expect(screenWidth(columns)).toBe(width)
})
