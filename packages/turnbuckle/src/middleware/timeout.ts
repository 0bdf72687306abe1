import { TurnbuckleError } from '../core/base/errors.ts'
import type { Context, NextOptions } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, checkSome, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `timeout`. */
export interface TimeoutOptions {
  /** Milliseconds of active time for one model call, hooks' own included. */
  readonly model?: number
  /** Milliseconds without a chunk: for a provider that stalls, keep-alives or not. */
  readonly idle?: number
  /** Milliseconds until the first chunk: a model may think for long before it says anything. As `idle` by default. */
  readonly first?: number
  /** Milliseconds for one tool call. */
  readonly tool?: number
  /** The tools it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  /** Only needed where an agent has several. `timeout` by default. */
  readonly name?: string
}

type Next<Result> = (input: undefined, options: NextOptions) => Promise<Result>

const shape = (): Shape<TimeoutOptions> => ({
  model: is.number(0),
  idle: is.number(0),
  first: is.number(0),
  tool: is.number(0),
  tools: is.tools,
  name: is.text,
})

/**
 * Ends an attempt that takes too long, whether or not the model or tool listens to its signal. The attempt fails with an
 * error of the kind `timeout`, which `retry` and `fallback` before it can handle; behind them it limits each attempt,
 * before them all attempts together. A number means both `model` and `tool`. Not a guard.
 *
 * ```ts
 * createAgent({ model, use: [retry(), timeout({ model: 60_000, idle: 15_000, tool: 30_000 })] })
 * ```
 */
export function timeout(limit: number | TimeoutOptions): Middleware {
  const options: TimeoutOptions = typeof limit === 'number' ? { model: limit, tool: limit } : limit
  checkOptions('timeout', options, shape)
  checkSome('timeout', options ?? {}, ['model', 'idle', 'tool'])
  const { model = Infinity, idle = Infinity, first = idle, tool = Infinity, tools, name = 'timeout' } = options
  const limited = model !== Infinity || idle !== Infinity || first !== Infinity
  const silence = idle === Infinity && first === Infinity ? undefined : { idle, first }
  return middleware({
    name,
    description: 'Ends a model call or a tool that takes too long.',
    ...(tools ? { tools } : {}),
    ...(limited
      ? {
          wrapModel: (ctx, next) => within(ctx, next, `${ctx.stage} call`, model, silence),
          wrapGenerate: (ctx, next) => within(ctx, next, `${ctx.stage} call`, model, silence),
        }
      : {}),
    ...(tool === Infinity ? {} : { wrapTool: (ctx, next) => within(ctx, next, ctx.call.name, tool) }),
  })
}

interface Silence {
  readonly idle: number
  readonly first: number
}

function within<Result>(
  ctx: Context,
  next: Next<Result>,
  what: string,
  ms: number,
  silence?: Silence,
): Promise<Result> {
  const until: NextOptions['until'] = (end, heardAt) => {
    const late = (text: string) =>
      end(new TurnbuckleError('attempt.timeout', `The ${what} ${text}.`, { kind: 'timeout' }))
    const off = ctx.clock.after(ms, () => late(`took longer than ${ms} ms`))
    if (!silence) return off
    const offIdle = watchSilence(ctx, silence, heardAt, limit => late(`was silent for ${limit} ms`))
    return () => {
      off()
      offIdle()
    }
  }
  return next(undefined, { until })
}

/** Looks again when the silence since the last chunk may have become too long: a chunk costs no timer. */
function watchSilence(
  { clock }: Context,
  { idle, first }: Silence,
  heardAt: () => number | undefined,
  end: (limit: number) => void,
): () => void {
  const begunAt = clock.elapsed()
  let off: () => void
  const look = (wait: number) => {
    off = clock.after(wait, () => {
      const at = heardAt()
      const limit = at === undefined ? first : idle
      const rest = (at ?? begunAt) + limit - clock.elapsed()
      if (rest > 0) look(Math.min(rest, shortest))
      else end(limit)
    })
  }
  // Until the first chunk has come either limit may be the one that counts.
  const shortest = Math.min(idle, first)
  look(shortest)
  return () => off()
}
