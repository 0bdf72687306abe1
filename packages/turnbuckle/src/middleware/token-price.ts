import type { Usage } from '../core/base/ports.ts'
import * as is from './kinds.ts'

/** Per million tokens, in the currency of the model's prices. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
}

export const tokenPrice = (): is.Kind =>
  is.shaped('{ input, output }, each a number', { input: is.number(0), output: is.number(0) })

/** The cost of a usage: as it was told, or else of its tokens by the price; never less than what is known of it. */
export function costOf(usage: Usage, price: TokenPrice | undefined): number | undefined {
  if (usage.cost !== undefined || !price) return usage.cost
  const { inputTokens, outputTokens, knownCost = 0 } = usage
  return Math.max(knownCost, (inputTokens * price.input + outputTokens * price.output) / 1_000_000)
}
