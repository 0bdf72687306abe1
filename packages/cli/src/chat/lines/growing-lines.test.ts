import { expect, test } from 'vitest'
import { areLow, lastLines } from './growing-lines.ts'

const wide = 'w'.repeat(99)

test.each([
  { what: 'six short lines', lines: Array.from({ length: 6 }, () => 'a'), low: true },
  { what: 'seven short lines', lines: Array.from({ length: 7 }, () => 'a'), low: false },
  { what: 'two lines that a small window makes six rows of', lines: [wide, wide], low: true },
  { what: 'three lines that it makes nine rows of', lines: [wide, wide, wide], low: false },
  { what: 'fourteen lines of a table', lines: Array.from({ length: 14 }, () => wide), isTable: true, low: true },
  { what: 'fifteen lines of a table', lines: Array.from({ length: 15 }, () => 'a'), isTable: true, low: false },
])('$what may be drawn again and again: $low', ({ lines, low, isTable = false }) => {
  expect(areLow(lines, isTable)).toBe(low)
})

test('of what grows the last lines are shown, as many as any window has room for', () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `${i}`)
  expect(lastLines(numbers.slice(0, 10), 20)).toEqual(numbers.slice(0, 10))
  expect(lastLines(numbers, 20)).toEqual(['…', ...numbers.slice(-9)])
  expect(lastLines(numbers, 4)).toEqual(['…', '27', '28', '29'])
  expect(lastLines([...numbers, wide, wide], 20)).toEqual(['…', '27', '28', '29', wide, wide])
})
