import { expect, test } from 'vitest'
import { formatCost, formatCount, formatDuration, formatMoney } from './format-count.ts'

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

test('a cost of which a part is not known is a lower bound', () => {
  expect(formatCost({ cost: 0.25, isCostPartial: false })).toBe('$0.25')
  expect(formatCost({ cost: 0.25, isCostPartial: true })).toBe('≥ $0.25')
  expect(formatCost({ cost: 0, isCostPartial: true })).toBe('')
})
