import type { Middleware } from '../core/hooks.ts'
import { budget } from './budget.ts'
import { atLeast } from './option.ts'

export interface TokenLimitOptions {
  readonly max: number
  /** One turn (default), or all turns of the conversation on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** Input and output together by default. */
  readonly count?: 'all' | 'input' | 'output'
  /** The closing text. */
  readonly say?: string
  readonly name?: string
}

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
  const { max, scope = 'turn', count = 'all', say, name = 'token-limit' } = options
  return budget({
    name,
    max: atLeast(0, `${name}: max`, max),
    scope,
    say,
    reason: `${max} tokens`,
    used: ({ inputTokens, outputTokens }) =>
      (count === 'output' ? 0 : inputTokens) + (count === 'input' ? 0 : outputTokens),
  })
}
