import { expect, test } from 'vitest'
import { formatCount, formatDuration, formatMoney } from './format-count.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.0k'],
  [1_500_000, '1.5M'],
])('%d is %s', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1250, '1.3 s'],
  [120_000, '2 min'],
])('%d ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [undefined, ''],
  [0, ''],
  [0.0123, '$0.0123'],
  [1.5, '$1.50'],
])('a cost of %s is %j', (cost, text) => {
  expect(formatMoney(cost)).toBe(text)
})
