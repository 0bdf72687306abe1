import { expect, test } from 'vitest'
import { formatMoney, formatSpent, formatUsage } from './format-usage.ts'

test.each([
  { usage: { inputTokens: 999, outputTokens: 1000 }, is: '999 in · 1.0k out' },
  { usage: { inputTokens: 12_345, outputTokens: 0, cost: 0 }, is: '12.3k in · 0 out · $0' },
  {
    usage: { inputTokens: 5, outputTokens: 1, knownCost: 0.0045, unknownCalls: 1 },
    is: '5 in · 1 out · at least $0.0045',
  },
  { usage: { inputTokens: 5, outputTokens: 2, knownCost: 0, unknownCalls: 1 }, is: '5 in · 2 out' },
])('$is', ({ usage, is }) => expect(formatUsage(usage)).toBe(is))

test.each([
  { cost: 0, is: '$0' },
  { cost: 0.0042, is: '$0.0042' },
  { cost: 0.01, is: '$0.01' },
  { cost: 12.345, is: '$12.35' },
])('$cost dollars are $is', ({ cost, is }) => expect(formatMoney(cost)).toBe(is))

test('where there is little room, the cost stands for all; without one the tokens do', () => {
  expect(formatSpent({ inputTokens: 1200, outputTokens: 300, cost: 0.5 })).toBe('$0.50')
  expect(formatSpent({ inputTokens: 1200, outputTokens: 300 })).toBe('1.5k tokens')
})
