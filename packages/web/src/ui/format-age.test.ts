import { expect, test } from 'vitest'
import { formatAge } from './format-age.ts'

const [minute, hour] = [60_000, 3_600_000]
const now = Date.UTC(2026, 4, 20, 12)

test.each([
  { age: 59_999, is: 'now' },
  { age: minute, is: '1 min' },
  { age: hour - 1, is: '59 min' },
  { age: 23 * hour, is: '23 h' },
])('an age of $age ms is "$is"', ({ age, is }) => expect(formatAge(now - age, now)).toBe(is))

test('an age of a day or more is a date', () => {
  expect(formatAge(now - 48 * hour, now)).toMatch(/18/)
})
