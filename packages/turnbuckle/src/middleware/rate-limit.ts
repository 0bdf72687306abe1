import { announcedSleep } from '../core/context/announced-sleep.ts'
import { block, type Directive, stop } from '../core/directives/directives.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The port that keeps the counts; a store of your own can share them between processes. */
export interface RateStore {
  /**
   * Takes a place: `limit` in any `perMs`. Gives the milliseconds to wait for it, or nothing, and takes none, when that
   * would be more than `maxWaitMs`.
   */
  take(
    key: string,
    place: { readonly now: number; readonly limit: number; readonly perMs: number; readonly maxWaitMs: number },
  ): number | undefined | Promise<number | undefined>
}

/** The options of `rateLimit`. */
export interface RateLimitOptions {
  /** The most that may begin in any `perMs`. */
  readonly limit: number
  /** Milliseconds. A minute by default. */
  readonly perMs?: number
  /** The things counted: model calls with hooks' own (default), tool calls, or turns. */
  readonly of?: 'model' | 'tool' | 'turn'
  /** A key for those that are counted together; all by default. */
  readonly key?: (ctx: Context) => string
  /** Milliseconds to wait for a place before refusing. `Infinity` always waits; 0 (default) never does. */
  readonly maxWaitMs?: number
  /** The tools it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  /** Counts; in this process by default. */
  readonly store?: RateStore
  /** Only needed where an agent has several. `rate-limit` by default. */
  readonly name?: string
}

const shape = (): Shape<RateLimitOptions> => ({
  limit: is.needed(is.number(1)),
  perMs: is.number(1),
  of: is.oneOf('model', 'tool', 'turn'),
  key: is.run,
  maxWaitMs: is.number(0),
  tools: is.tools,
  store: is.port('take'),
  name: is.text,
})

/**
 * At most so many in a time, per key, across all conversations: whoever comes too early waits, or is refused: a call is
 * blocked and the model told, a model call or a turn is stopped. Each attempt of a retry counts. A guard: it fails closed.
 *
 * ```ts
 * createAgent({ model, use: [rateLimit({ limit: 10, perMs: 60_000, key: ctx => ctx.conversation.id, maxWaitMs: 5000 })] })
 * ```
 */
export function rateLimit(options: RateLimitOptions): Middleware {
  checkOptions('rateLimit', options, shape)
  const { limit, perMs = 60_000, of = 'model', key = () => 'all', maxWaitMs = 0 } = options
  const { tools, store = memoryRates(), name = 'rate-limit' } = options
  const reason = `more than ${limit} ${of} calls in ${perMs} ms`
  const admit = async (ctx: Context): Promise<boolean> => {
    const wait = await store.take(key(ctx), { now: ctx.clock.now(), limit, perMs, maxWaitMs })
    if (wait === undefined) return false
    if (wait > 0) {
      ctx.emit({ type: 'rate.waiting', delayMs: wait, by: name })
      await announcedSleep(ctx, wait)
    }
    return true
  }
  const attempt = async <Result>(
    ctx: Context,
    next: () => Promise<Result>,
  ): Promise<Result | Directive<'block' | 'stop'>> =>
    (await admit(ctx)) ? next() : of === 'tool' ? block(`Refused: ${reason}. Try again later.`) : stop(reason)
  return middleware({
    name,
    description: 'Waits where calls come too fast.',
    guard: true,
    ...(tools ? { tools } : {}),
    ...(of === 'turn' ? { wrapTurn: (ctx, next) => attempt(ctx, next) } : {}),
    // By its before hook it is known for a guard of tools: a model that runs them itself, and only reports it, is refused.
    ...(of === 'tool' ? { beforeTool() {}, wrapTool: (ctx, next) => attempt(ctx, next) } : {}),
    ...(of === 'model'
      ? { wrapModel: (ctx, next) => attempt(ctx, next), wrapGenerate: (ctx, next) => attempt(ctx, next) }
      : {}),
  })
}

/** Counts in this process. */
export function memoryRates(): RateStore {
  const taken = new Map<string, { readonly times: number[]; next: number }>()
  let swept = 0
  /** Forgets, once in a while, who has not come for that long. */
  const sweep = (now: number, perMs: number) => {
    if (now - swept < perMs) return
    swept = now
    for (const [key, { times, next }] of taken)
      if ((times[(next || times.length) - 1] ?? 0) + perMs <= now) taken.delete(key)
  }
  return {
    take(key, { now, limit, perMs, maxWaitMs }) {
      sweep(now, perMs)
      const places = taken.get(key) ?? { times: [], next: 0 }
      // A ring of the last `limit` places: the one that is written over next is the oldest.
      const oldest = places.times[places.next]
      const free = oldest === undefined ? now : Math.max(now, oldest + perMs)
      if (free - now > maxWaitMs) return undefined
      places.times[places.next] = free
      places.next = (places.next + 1) % limit
      taken.set(key, places)
      return free - now
    },
  }
}
