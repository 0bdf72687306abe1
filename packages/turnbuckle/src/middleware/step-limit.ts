import type { HookReturn } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { stopSaying } from './option.ts'

/** The options of `stepLimit`. */
export interface StepLimitOptions {
  /** Steps that run; the next one does not begin. */
  readonly max: number
  /** The turns counted together: one turn (default), or all of the conversation, on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** Counts the model calls that hooks make (`ctx.generate`) as well. */
  readonly generate?: boolean
  /** The closing text. */
  readonly say?: string
  /** Only needed where an agent has several. `step-limit` by default. */
  readonly name?: string
}

interface Counting {
  readonly state: number
  update(change: (count: number) => number): void
}

const shape = (): Shape<StepLimitOptions> => ({
  max: is.needed(is.number(0)),
  scope: is.scope(),
  generate: is.flag,
  say: is.text,
  name: is.text,
})

/**
 * Ends the turn where the next step would be one too many. What was counted stays counted, also after a rewind or on
 * another branch. Not a guard: it cannot fail.
 *
 * ```ts
 * createAgent({ model, use: [stepLimit(20)] })
 * ```
 */
export function stepLimit(limit: number | StepLimitOptions): Middleware {
  const options: StepLimitOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('stepLimit', options, shape)
  const { max, scope = 'turn', generate = false, say, name = 'step-limit' } = options
  const count = (ctx: Counting): HookReturn<'stop'> => {
    if (ctx.state >= max) return stopSaying(`${max} steps`, say)
    ctx.update(steps => steps + 1)
  }
  return middleware<number>({
    name,
    description: 'Ends a turn after so many steps.',
    scope,
    state: 0,
    ...(scope === 'turn' && !generate ? { maxSteps: max } : {}),
    beforeStep: count,
    ...(generate ? { beforeGenerate: count } : {}),
  })
}
