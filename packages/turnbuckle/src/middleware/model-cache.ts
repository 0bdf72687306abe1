import type { BeforeContext } from '../core/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks.ts'
import type { Message, Part } from '../core/message.ts'
import type { Prompt } from '../core/ports.ts'
import { Cache, type CacheStore, cacheKey, memoryCache } from './cache-store.ts'

export interface ModelCacheOptions {
  readonly store?: CacheStore
  /** Milliseconds a reply is good for. For ever by default. */
  readonly ttlMs?: number
  /** Whether a request may be answered from the cache, and its reply kept. Every one by default. */
  readonly when?: (prompt: Prompt) => boolean
  readonly name?: string
}

type Next = () => Promise<Message>

/**
 * Answers a model call that was made before from the cache, hooks' own calls too. The key is the whole request: model,
 * instructions, tools, parameters and messages, without ids. A hit costs nothing and skips everything behind it: put it
 * before `retry` and `timeout`. A store that fails is as if it were empty. Looks at the whole history of each call.
 * Not a guard.
 *
 * ```ts
 * createAgent({ model, use: [modelCache({ ttlMs: 3_600_000 }), retry()] })
 * ```
 */
export function modelCache(options: ModelCacheOptions = {}): Middleware {
  const { store = memoryCache(), ttlMs = Infinity, when = () => true, name = 'model-cache' } = options
  const cache = new Cache<readonly Part[]>(store, ttlMs)
  const wrap = async (ctx: BeforeContext<'model'>, next: Next): Promise<Message> => {
    if (!when(ctx.prompt)) return next()
    const key = cacheKey(requestOf(ctx))
    const hit = await cache.get(key, ctx.clock.now()).catch(() => undefined)
    if (hit) {
      ctx.emit({ type: 'cache.hit', by: name, stage: ctx.stage })
      return replyOf(hit, ctx)
    }
    const reply = await next()
    // A reply that a limit prevented is none.
    if (reply?.content.length) await cache.set(key, reply.content, ctx.clock.now()).catch(() => {})
    return reply
  }
  return middleware({ name, wrapModel: wrap, wrapGenerate: wrap })
}

/** The request. Ids differ from run to run: calls are numbered instead. */
function requestOf({ prompt, agent }: BeforeContext<'model'>): object {
  const { messages, tools, instructions, params, model = agent.model } = prompt
  const numbers = new Map<string, number>()
  const number = (id: string): number => {
    if (!numbers.has(id)) numbers.set(id, numbers.size)
    return numbers.get(id) as number
  }
  const said = messages.map(({ role, content }) => ({
    role,
    content: content.map(part => ('id' in part ? { ...part, id: number(part.id) } : part)),
  }))
  return { model: model.id, instructions, params, tools, messages: said }
}

/** A fresh message; its calls get ids of this turn. */
function replyOf(content: readonly Part[], { turn, step }: BeforeContext<'model'>): Message {
  const id = `${turn.id}.s${step}cached`
  const renamed = new Map<string, string>()
  const fresh = content.map((part, i) => {
    if (!('id' in part)) return part
    if (part.type === 'call') renamed.set(part.id, `${id}.${i}`)
    return { ...part, id: renamed.get(part.id) ?? part.id }
  })
  return { id, role: 'assistant', content: fresh }
}
