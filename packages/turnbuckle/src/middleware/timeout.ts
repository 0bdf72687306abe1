import { TurnbuckleError } from '../core/base/errors.ts'
import type { Context, NextOptions } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, checkSome, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { PerTurn } from './per-turn.ts'

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
  const silence: Silence = { idle, first, heard: new PerTurn<Heard>({ at: 0, begun: false }) }
  return middleware({
    name,
    ...(tools ? { tools } : {}),
    ...(limited
      ? {
          wrapModel: (ctx, next) => within(ctx, next, `${ctx.stage} call`, model, silence),
          wrapGenerate: (ctx, next) => within(ctx, next, `${ctx.stage} call`, model),
        }
      : {}),
    ...(idle === Infinity && first === Infinity
      ? {}
      : {
          // The marks around an attempt are no word of the model's.
          onChunk: (chunk, ctx) => (chunk.type === 'start' ? undefined : hear(ctx, silence, true)),
        }),
    ...(tool === Infinity ? {} : { wrapTool: (ctx, next) => within(ctx, next, ctx.call.name, tool) }),
  })
}

/** When the last chunk of an attempt came, in active time; before the first one, when the attempt began. */
interface Heard {
  readonly at: number
  readonly begun: boolean
}
interface Silence {
  readonly idle: number
  readonly first: number
  /** Not in the state: a chunk changes nothing that a log should keep. */
  readonly heard: PerTurn<Heard>
}

function hear({ clock, turn }: Pick<Context, 'clock' | 'turn'>, { heard }: Silence, begun: boolean): void {
  heard.set(turn, { at: clock.elapsed(), begun })
}

function within<Result>(
  ctx: Context,
  next: Next<Result>,
  what: string,
  ms: number,
  silence?: Silence,
): Promise<Result> {
  const until: NextOptions['until'] = end => {
    const late = (text: string) =>
      end(new TurnbuckleError('attempt.timeout', `The ${what} ${text}.`, { kind: 'timeout' }))
    const off = ctx.clock.after(ms, () => late(`took longer than ${ms} ms`))
    if (!silence || (silence.idle === Infinity && silence.first === Infinity)) return off
    const offIdle = watchSilence(ctx, silence, limit => late(`was silent for ${limit} ms`))
    return () => {
      off()
      offIdle()
    }
  }
  return next(undefined, { until })
}

/** Looks again when the silence since the last chunk may have become too long: a chunk costs no timer. */
function watchSilence(ctx: Context, silence: Silence, end: (limit: number) => void): () => void {
  hear(ctx, silence, false)
  let off: () => void
  const look = (wait: number) => {
    off = ctx.clock.after(wait, () => {
      const { at, begun } = silence.heard.of(ctx.turn)
      const limit = begun ? silence.idle : silence.first
      const rest = at + limit - ctx.clock.elapsed()
      if (rest > 0) look(Math.min(rest, shortest))
      else end(limit)
    })
  }
  // Until the first chunk has come either limit may be the one that counts.
  const shortest = Math.min(silence.idle, silence.first)
  look(shortest)
  return () => off()
}
