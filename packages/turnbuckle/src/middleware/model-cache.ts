import type { Message, Part } from '../core/base/message.ts'
import type { Prompt } from '../core/base/ports.ts'
import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { Cache, type CacheStore, cacheKey, memoryCache } from './cache-store.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { PerPrefix } from './per-prefix.ts'

/** The options of `modelCache`. */
export interface ModelCacheOptions {
  /** Keeps the replies; in memory by default. */
  readonly store?: CacheStore
  /** Milliseconds a reply is good for. For ever by default. */
  readonly ttlMs?: number
  /** True for a prompt that may be answered from the cache, and whose reply may be kept. Every one by default. */
  readonly when?: (prompt: Prompt) => boolean
  /** Only needed where an agent has several. `model-cache` by default. */
  readonly name?: string
}

type Next = () => Promise<Message>

interface Reply {
  readonly content: readonly Part[]
  /** Why the model ended: for whoever goes by that. */
  readonly finishReason?: string | undefined
}

const shape = (): Shape<ModelCacheOptions> => ({
  store: is.port('get', 'set'),
  ttlMs: is.number(0),
  when: is.run,
  name: is.text,
})

/**
 * Answers a model call that was made before from the cache, hooks' own calls too. The key is the whole request: model,
 * instructions, tools, parameters and messages, without ids. A hit costs nothing and skips everything behind it: put it
 * before `retry` and `timeout`. A reply that was cut is not kept, nor is what a model says that runs the loop itself. A
 * store that fails is as if it were empty. A message is looked into once, so the key costs the same for any length of the
 * history. Not a guard.
 *
 * ```ts
 * createAgent({ model, use: [modelCache({ ttlMs: 3_600_000 }), retry()] })
 * ```
 */
export function modelCache(options: ModelCacheOptions = {}): Middleware {
  checkOptions('modelCache', options, shape)
  const { store = memoryCache(), ttlMs = Infinity, when = () => true, name = 'model-cache' } = options
  const cache = new Cache<Reply>(store, ttlMs)
  const digests = new PerPrefix<string>((before, message) => cacheKey([before, keyOf(message)]))
  const wrap = async (ctx: BeforeContext<'model'>, next: Next, { messagesOf, draft }: CalledFor): Promise<Message> => {
    if ((ctx.prompt.model ?? ctx.agent.model).loop || !when(ctx.prompt)) return next()
    const key = cacheKey(requestOf(ctx, digests.of(messagesOf, ctx.prompt.messages).at(-1)))
    const hit = await cache.get(key, ctx.clock.now()).catch(() => undefined)
    if (hit?.content) {
      ctx.emit({ type: 'cache.hit', by: name, stage: ctx.stage })
      if (draft) draft.finishReason = hit.finishReason
      return replyOf(hit.content, ctx)
    }
    const reply = await next()
    const { content, interrupted } = reply ?? prevented
    const kept = { content, finishReason: draft?.finishReason }
    if (content.length && !interrupted) await cache.set(key, kept, ctx.clock.now()).catch(() => {})
    return reply
  }
  return middleware({
    name,
    description: 'Answers a model call that was made before from a cache.',
    wrapModel: (ctx, next) => wrap(ctx, next, { messagesOf: ctx.conversation, draft: ctx.draft }),
    wrapGenerate: (ctx, next) => wrap(ctx, next, { messagesOf: ctx.turn }),
  })
}

/** The turn itself, or a hook: that has no draft, and other messages than the conversation. */
interface CalledFor {
  readonly messagesOf: object
  readonly draft?: BeforeContext<'model'>['draft']
}

/** By a limit: then there is no reply. */
const prevented: Pick<Message, 'content' | 'interrupted'> = { content: [] }

const requestOf = ({ prompt, agent }: BeforeContext<'model'>, messages: string | undefined) => {
  const { tools, instructions, params, model = agent.model } = prompt
  return { model: model.id, instructions, params, tools, messages }
}

const known = new WeakMap<Message, string>()

/** Ids differ from run to run and are left out: results stand in the order of their calls. A message never changes. */
function keyOf(message: Message): string {
  const kept = known.get(message)
  if (kept !== undefined) return kept
  const content = message.content.map(part => ('id' in part ? { ...part, id: '' } : part))
  const key = cacheKey({ role: message.role, content })
  known.set(message, key)
  return key
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
