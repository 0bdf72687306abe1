import { expect, test } from 'vitest'
import { costOf } from './token-price.ts'

const price = { input: 3, output: 15 }
const used = { inputTokens: 1_000_000, outputTokens: 100_000 }

test.each([
  { usage: { ...used, cost: 2 }, given: price, cost: 2, why: 'a told cost counts as told' },
  { usage: used, given: price, cost: 4.5, why: 'an untold cost is that of the tokens' },
  { usage: { ...used, knownCost: 9 }, given: price, cost: 9, why: 'a cost is never less than what is known of it' },
  { usage: used, given: undefined, cost: undefined, why: 'without a price an untold cost stays unknown' },
])('$why', ({ usage, given, cost }) => {
  expect(costOf(usage, given)).toBe(cost)
})
