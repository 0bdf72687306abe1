import { expect, test } from 'vitest'
import { minus, plus, uncounted } from './usage-sums.ts'

const small = { inputTokens: 3, outputTokens: 1, cost: 0.25 }
const large = { inputTokens: 10, outputTokens: 4, cost: 1 }

test('tokens and cost are added and taken away', () => {
  expect(plus(large, small)).toEqual({ inputTokens: 13, outputTokens: 5, cost: 1.25 })
  expect(minus(large, small)).toEqual({ inputTokens: 7, outputTokens: 3, cost: 0.75 })
})

test('a sum with a side whose cost is not known has no cost', () => {
  expect(plus(large, { inputTokens: 3, outputTokens: 1 })).toEqual({ inputTokens: 13, outputTokens: 5 })
  expect(minus(uncounted, small)).toEqual({ inputTokens: -3, outputTokens: -1 })
})
