import { nextWithin, tooLate } from '../core/context/next-within.ts'
import type { Directive } from '../core/directives/directives.ts'
import type { Context, NextOptions } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { stopSaying } from './option.ts'

/** The options of `timeLimit`. */
export interface TimeLimitOptions {
  /** Milliseconds of active time: the time a person takes to answer does not count. */
  readonly max: number
  /** The turns counted together: one turn (default), or all of the conversation, on every branch. */
  readonly scope?: 'turn' | 'conversation'
  /** The closing text. */
  readonly say?: string
  /** Only needed where an agent has several. `time-limit` by default. */
  readonly name?: string
}

type Counting = Pick<Context<number>, 'state' | 'clock'>
type Next<Result> = (input: undefined, options: NextOptions) => Promise<Result>

const shape = (): Shape<TimeLimitOptions> => ({
  max: is.needed(is.number(0)),
  scope: is.scope(),
  say: is.text,
  name: is.text,
})

/**
 * Ends the turn when its time is up, in the middle of a model call or a tool too. Text shown so far is kept; a tool that
 * was running gets the result `timeout`. A guard: it fails closed.
 *
 * ```ts
 * createAgent({ model, use: [timeLimit(60_000)] })
 * ```
 */
export function timeLimit(limit: number | TimeLimitOptions): Middleware {
  const options: TimeLimitOptions = typeof limit === 'number' ? { max: limit } : limit
  checkOptions('timeLimit', options, shape)
  const { max, scope = 'turn', say, name = 'time-limit' } = options
  const left = ({ state, clock }: Counting): number => max - state - clock.elapsed()
  const over = (): Directive<'stop'> => stopSaying(`${max} ms`, say)
  const check = (ctx: Counting): Directive<'stop'> | undefined => (left(ctx) <= 0 ? over() : undefined)
  const within = async <Result>(ctx: Counting, next: Next<Result>): Promise<Result | Directive<'stop'>> => {
    const result = await nextWithin(ctx, left(ctx), next)
    return result === tooLate ? over() : result
  }
  return middleware<number>({
    name,
    description: 'Ends a turn that runs too long.',
    guard: true,
    scope,
    state: 0,
    beforeTurn: check,
    wrapModel: (ctx, next) => within(ctx, next),
    wrapGenerate: (ctx, next) => within(ctx, next),
    wrapTool: (ctx, next) => within(ctx, next),
    ...(scope === 'conversation' ? { afterTurn: keepTime } : {}),
  })
}

/** A sub-agent's time is part of the call it works for. */
function keepTime(ctx: Pick<Context<number>, 'turn' | 'clock' | 'update'>): void {
  const ms = ctx.clock.elapsed()
  if (!ctx.turn.parent) ctx.update(past => past + ms)
}
