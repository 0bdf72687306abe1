import { TurnbuckleError } from '../core/base/errors.ts'
import type { Context, NextOptions } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, checkSome, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

export interface TimeoutOptions {
  /** Milliseconds of active time for one model call, hooks' own included. */
  readonly model?: number
  /** Milliseconds without a chunk: for a provider that stalls, keep-alives or not. */
  readonly idle?: number
  /** Milliseconds for one tool call. */
  readonly tool?: number
  /** The tools it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  readonly name?: string
}

type Next<Result> = (input: undefined, options: NextOptions) => Promise<Result>

const shape = (): Shape<TimeoutOptions> => ({
  model: is.number(0),
  idle: is.number(0),
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
  const { model = Infinity, idle = Infinity, tool = Infinity, tools, name = 'timeout' } = options
  const limited = model !== Infinity || idle !== Infinity
  return middleware<number>({
    name,
    ...(tools ? { tools } : {}),
    // When the last chunk came, in active time.
    state: 0,
    ...(limited
      ? {
          wrapModel: (ctx, next) => within(ctx, next, `${ctx.stage} call`, model, idle),
          wrapGenerate: (ctx, next) => within(ctx, next, `${ctx.stage} call`, model, Infinity),
        }
      : {}),
    ...(idle === Infinity ? {} : { onChunk: (_chunk, ctx) => heard(ctx) }),
    ...(tool === Infinity ? {} : { wrapTool: (ctx, next) => within(ctx, next, ctx.call.name, tool, Infinity) }),
  })
}

function heard(ctx: Pick<Context<number>, 'clock' | 'update'>): void {
  const now = ctx.clock.elapsed()
  ctx.update(() => now)
}

function within<Result>(
  ctx: Context<number>,
  next: Next<Result>,
  what: string,
  ms: number,
  idleMs: number,
): Promise<Result> {
  const until: NextOptions['until'] = end => {
    const late = (text: string) =>
      end(new TurnbuckleError('attempt.timeout', `The ${what} ${text}.`, { kind: 'timeout' }))
    const off = ctx.clock.after(ms, () => late(`took longer than ${ms} ms`))
    if (idleMs === Infinity) return off
    const offIdle = watchSilence(ctx, idleMs, () => late(`was silent for ${idleMs} ms`))
    return () => {
      off()
      offIdle()
    }
  }
  return next(undefined, { until })
}

/** Looks again when the silence since the last chunk may have become too long: a chunk costs no timer. */
function watchSilence(ctx: Context<number>, ms: number, end: () => void): () => void {
  heard(ctx)
  let off: () => void
  const look = (left: number) => {
    off = ctx.clock.after(left, () => {
      const rest = ctx.state + ms - ctx.clock.elapsed()
      if (rest > 0) look(rest)
      else end()
    })
  }
  look(ms)
  return () => off()
}
