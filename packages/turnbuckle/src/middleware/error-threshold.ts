import type { ErrorKind } from '../core/base/errors.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { errorKindIn } from '../core/stages/built-in-stages.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { stopSaying } from './option.ts'

/** The options of `errorThreshold`. */
export interface ErrorThresholdOptions {
  /** The error that ends the turn. 10 by default. */
  readonly max?: number
  /** The kinds that count; all but `toolBlocked` by default. */
  readonly kinds?: readonly ErrorKind[]
  /** The turns counted together: one turn (default), or all of the conversation, on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** The closing text. */
  readonly say?: string
  /** Only needed where an agent has several. `error-threshold` by default. */
  readonly name?: string
}

const shape = (): Shape<ErrorThresholdOptions> => ({
  max: is.number(1),
  kinds: is.list(is.errorKind()),
  scope: is.scope(),
  say: is.text,
  name: is.text,
})

/**
 * Ends the turn at the n-th error in all, in a row or not. What a retry has put right does not count. Not a guard: when
 * it fails the loop goes on without it.
 *
 * ```ts
 * createAgent({ model, tools, use: [errorThreshold(10)] })
 * ```
 */
export function errorThreshold(limit: number | ErrorThresholdOptions = {}): Middleware {
  const options: ErrorThresholdOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('errorThreshold', options, shape)
  const { max = 10, kinds, scope = 'turn', say, name = 'error-threshold' } = options
  const counts = (kind: ErrorKind) => (kinds ? kinds.includes(kind) : kind !== 'toolBlocked')
  return middleware<number>({
    name,
    description: 'Ends a turn after too many errors.',
    scope,
    state: 0,
    onError(error, ctx) {
      if (!counts(errorKindIn(error, ctx.stage))) return
      ctx.update(errors => errors + 1)
      if (ctx.state >= max) return stopSaying(`${max} errors`, say)
    },
  })
}
