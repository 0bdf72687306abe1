import { expect, test } from 'vitest'
import { areLow, lastLines } from './growing-lines.ts'

const wide = 'w'.repeat(99)

test.each([
  { what: 'ten short lines', lines: Array.from({ length: 10 }, () => 'a'), low: true },
  { what: 'eleven short lines', lines: Array.from({ length: 11 }, () => 'a'), low: false },
  { what: 'three lines that a small window makes nine rows of', lines: [wide, wide, wide], low: true },
  { what: 'four lines that it makes twelve rows of', lines: [wide, wide, wide, wide], low: false },
])('$what may be drawn again and again: $low', ({ lines, low }) => {
  expect(areLow(lines)).toBe(low)
})

test('of what grows the last lines are shown, as many as any window has room for', () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `${i}`)
  expect(lastLines(numbers.slice(0, 10), 20)).toEqual(numbers.slice(0, 10))
  expect(lastLines(numbers, 20)).toEqual(['…', ...numbers.slice(-9)])
  expect(lastLines(numbers, 4)).toEqual(['…', '27', '28', '29'])
  expect(lastLines([...numbers, wide, wide], 20)).toEqual(['…', '27', '28', '29', wide, wide])
})
