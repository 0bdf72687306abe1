import { expect, test } from 'vitest'
import { reservedRows, screenWidth } from './screen-width.ts'

test.each([
  [10, 20],
  [80, 79],
  [300, 100],
])('of %d columns %d are used', (columns, width) => {
  expect(screenWidth(columns)).toBe(width)
})

test('a narrow screen has a row more for the status, if it is not low, too', () => {
  expect([reservedRows(39, 20), reservedRows(79, 20), reservedRows(39, 16)]).toEqual([3, 2, 2])
})
