import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { Cache, type CacheStore, cacheKey, memoryCache } from './cache-store.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `toolCache`. */
export interface ToolCacheOptions {
  /** The tools that only read: a hit does not run them. */
  readonly tools: readonly (string | RegExp)[]
  /** Keeps the results; in memory by default. */
  readonly store?: CacheStore
  /** Milliseconds a result is good for. Five minutes by default. */
  readonly ttlMs?: number
  /** A key for calls that share results: each conversation has its own by default. */
  readonly key?: (ctx: BeforeContext<'tool'>) => string
  /** Only needed where an agent has several. `tool-cache` by default. */
  readonly name?: string
}

const shape = (): Shape<ToolCacheOptions> => ({
  tools: is.needed(is.tools),
  store: is.port('get', 'set'),
  ttlMs: is.number(0),
  key: is.run,
  name: is.text,
})

/**
 * Answers a call that was made before, with the same arguments in any order, from the cache. Only results that are `ok`
 * are kept. Guards are asked about a call also when its result is there already. A store that fails is as if it were
 * empty. Put it before `toolRetry` and `timeout`. Not a guard.
 *
 * ```ts
 * createAgent({ model, tools: [weather], use: [toolCache({ tools: ['weather'], ttlMs: 60_000 })] })
 * ```
 */
export function toolCache(options: ToolCacheOptions): Middleware {
  checkOptions('toolCache', options, shape)
  const { tools, store = memoryCache(), ttlMs = 300_000, name = 'tool-cache' } = options
  const { key: whose = ctx => ctx.conversation.id } = options
  const cache = new Cache<unknown>(store, ttlMs)
  return middleware({
    name,
    description: 'Answers a call that was made before from a cache.',
    tools,
    async wrapTool(ctx, next) {
      const { call, clock } = ctx
      const key = cacheKey([whose(ctx), call.name, call.args])
      const hit = await cache.get(key, clock.now()).catch(() => undefined)
      if (hit !== undefined) {
        ctx.emit({ type: 'cache.hit', by: name, stage: 'tool', callId: call.id })
        return { status: 'ok', value: hit }
      }
      const result = await next()
      if (result.status === 'ok') await cache.set(key, result.value, clock.now()).catch(() => {})
      return result
    },
  })
}
