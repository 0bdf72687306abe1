import type { Middleware } from '../core/hooks/middleware.ts'
import { budget } from './budget.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `tokenLimit`. */
export interface TokenLimitOptions {
  /** The tokens that may be used, input and output together. */
  readonly max: number
  /** The turns counted together: one turn (default), or all of the conversation, on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** Input and output together by default. */
  readonly count?: 'all' | 'input' | 'output'
  /** The amount for a model call without reported usage: an `estimate` (default), all that is left (`stop`), or nothing (`ignore`). */
  readonly unknown?: 'estimate' | 'stop' | 'ignore'
  /** The closing text. */
  readonly say?: string
  /** Only needed where an agent has several. `token-limit` by default. */
  readonly name?: string
}

const shape = (): Shape<TokenLimitOptions> => ({
  max: is.needed(is.number(0)),
  scope: is.scope(),
  count: is.oneOf('all', 'input', 'output'),
  unknown: is.oneOf('estimate', 'stop', 'ignore'),
  say: is.text,
  name: is.text,
})

/**
 * Ends the turn once that many tokens are used: no further model call, tool or hook's model call begins. Retries,
 * fallbacks, critics and sub-agents count; nothing is refunded. A guard: it fails closed.
 *
 * ```ts
 * createAgent({ model, use: [tokenLimit(50_000), tokenLimit({ max: 1e6, scope: 'conversation', name: 'all-tokens' })] })
 * ```
 */
export function tokenLimit(limit: number | TokenLimitOptions): Middleware {
  const options: TokenLimitOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('tokenLimit', options, shape)
  const { max, scope = 'turn', count = 'all', unknown = 'estimate', say, name = 'token-limit' } = options
  return budget({
    name,
    description: 'Ends a turn that has used enough tokens.',
    max,
    scope,
    say,
    reason: `${max} tokens`,
    unknown,
    unmeasured: 'the model does not say how many tokens it uses',
    used: ({ inputTokens, outputTokens }) =>
      (count === 'output' ? 0 : inputTokens) + (count === 'input' ? 0 : outputTokens),
  })
}
