import type { Middleware } from '../core/hooks/middleware.ts'
import { budget } from './budget.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { costOf, type TokenPrice, tokenPrice } from './token-price.ts'

/** The options of `costLimit`. */
export interface CostLimitOptions {
  /** In the currency of the model's prices. */
  readonly max: number
  /** The turns counted together: one turn (default), or all of the conversation, on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** Per million tokens, for models that do not say what a call costs. */
  readonly price?: TokenPrice
  /**
   * The effect of a model call whose cost is not known: with a `price` it is estimated (default), else it ends the turn
   * (`stop`); `ignore` counts it as nothing.
   */
  readonly unknown?: 'estimate' | 'stop' | 'ignore'
  /** The closing text. */
  readonly say?: string
  /** Only needed where an agent has several. `cost-limit` by default. */
  readonly name?: string
}

const shape = (): Shape<CostLimitOptions> => ({
  max: is.needed(is.number(0)),
  scope: is.scope(),
  price: tokenPrice(),
  unknown: is.oneOf('estimate', 'stop', 'ignore'),
  say: is.text,
  name: is.text,
})

/**
 * Ends the turn once that much is spent: no further model call, tool or hook's model call begins. Retries, fallbacks,
 * critics and sub-agents count; nothing is refunded. A guard: it fails closed, also when a cost is not known.
 *
 * ```ts
 * createAgent({ model, use: [costLimit({ max: 0.5, price: { input: 3, output: 15 } })] })
 * ```
 */
export function costLimit(limit: number | CostLimitOptions): Middleware {
  const options: CostLimitOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('costLimit', options, shape)
  const { max, scope = 'turn', price, unknown = 'estimate', say, name = 'cost-limit' } = options
  return budget({
    name,
    description: 'Ends a turn that has cost enough.',
    max,
    scope,
    say,
    reason: `cost of ${max}`,
    used: usage => costOf(usage, price) ?? (unknown === 'ignore' ? usage.knownCost : undefined),
    unknown,
    unmeasured: price
      ? 'the cost is not known: the model does not say what it uses'
      : 'the cost is not known: give costLimit a price',
  })
}
