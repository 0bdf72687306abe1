import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { Backoff, type BackoffOptions, backoffShape } from './backoff.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `retry`. */
export interface RetryOptions extends BackoffOptions {
  /** Only needed where an agent has several. `retry` by default. */
  readonly name?: string
}

const shape = (): Shape<RetryOptions> => ({ ...backoffShape(), name: is.text })

/**
 * Tries a model call again that failed: the first attempt and `times` more, hooks' own model calls too. Text that a
 * failed attempt had shown is withdrawn. Hooks' failures and interrupts pass through; so does the last error. Put it
 * before `timeout` to limit each attempt, behind `modelCache` so that a hit skips it. Not a guard.
 *
 * ```ts
 * createAgent({ model, use: [retry({ times: 3, kinds: { rateLimit: 6 } })] })
 * ```
 */
export function retry(options: RetryOptions = {}): Middleware {
  checkOptions('retry', options, shape)
  const { name = 'retry' } = options
  const backoff = new Backoff(options)
  return middleware({
    name,
    description: 'Tries a model call again that has failed.',
    wrapModel: (ctx, next) => backoff.run(ctx, next),
    wrapGenerate: (ctx, next) => backoff.run(ctx, next),
  })
}
