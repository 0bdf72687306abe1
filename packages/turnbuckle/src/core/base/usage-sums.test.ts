import { expect, test } from 'vitest'
import { minus, plus, uncounted } from './usage-sums.ts'

const small = { inputTokens: 3, outputTokens: 1, cost: 0.25 }
const large = { inputTokens: 10, outputTokens: 4, cost: 1 }

test('tokens and cost are added and taken away', () => {
  expect(plus(large, small)).toEqual({ inputTokens: 13, outputTokens: 5, cost: 1.25 })
  expect(minus(large, small)).toEqual({ inputTokens: 7, outputTokens: 3, cost: 0.75 })
})

test('a sum with a side whose cost is not known says what is known, and how many calls that lacks', () => {
  const unpriced = { inputTokens: 3, outputTokens: 1 }
  const sum = { inputTokens: 13, outputTokens: 5, knownCost: 1, unknownCalls: 1 }
  expect(plus(large, unpriced)).toEqual(sum)
  expect(plus(sum, uncounted(2))).toEqual({ ...sum, unknownCalls: 3 })
  expect(plus(sum, small)).toEqual({ inputTokens: 16, outputTokens: 6, knownCost: 1.25, unknownCalls: 1 })
})

test('without the calls whose cost is not known, a cost is known again', () => {
  const unpriced = { inputTokens: 3, outputTokens: 1 }
  expect(minus(plus(large, unpriced), unpriced)).toEqual(large)
})
