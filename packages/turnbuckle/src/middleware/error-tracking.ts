import type { ResultStatus } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { stopSaying } from './option.ts'

/** The options of `errorTracking`. */
export interface ErrorTrackingOptions {
  /** Failing steps in a row that end the turn. 3 by default. */
  readonly max?: number
  /** A step fails when `any` (default) or `all` of its calls fail. */
  readonly when?: 'any' | 'all'
  /** The result statuses that count as failing. `error` and `timeout` by default. */
  readonly statuses?: readonly ResultStatus[]
  /** The closing text. */
  readonly say?: string
}

const shape = (): Shape<ErrorTrackingOptions> => ({
  max: is.number(1),
  when: is.oneOf('any', 'all'),
  statuses: is.list(is.status()),
  say: is.text,
})

/**
 * Ends the turn when tools keep failing: that many steps in a row. A step that went well, or made no call, starts the
 * count again. Not a guard: when it fails the loop goes on without it.
 *
 * ```ts
 * createAgent({ model, tools, use: [errorTracking({ max: 3 })] })
 * ```
 */
export function errorTracking(limit: number | ErrorTrackingOptions = {}): Middleware {
  const options: ErrorTrackingOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('errorTracking', options, shape)
  const { max = 3, when = 'any', statuses = ['error', 'timeout'], say } = options
  return middleware<number>({
    name: 'error-tracking',
    description: 'Ends a turn after steps in a row that failed.',
    state: 0,
    afterStep(ctx) {
      const { results } = ctx.draft
      const bad = results.filter(({ status }) => statuses.includes(status)).length
      const failed = when === 'all' ? bad > 0 && bad === results.length : bad > 0
      if (!failed) {
        if (ctx.state) ctx.update(() => 0)
        return
      }
      ctx.update(steps => steps + 1)
      if (ctx.state >= max) return stopSaying(`${max} failing steps in a row`, say)
    },
  })
}
