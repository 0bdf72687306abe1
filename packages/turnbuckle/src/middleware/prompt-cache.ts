import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `promptCache`. */
export interface PromptCacheOptions {
  /** Cache the instructions. Yes by default. */
  readonly instructions?: boolean
  /** Cache the tool definitions. Yes by default. */
  readonly tools?: boolean
  /** The number of messages from the end that get a mark. 2 by default, so that each call finds what the one before it wrote. */
  readonly messages?: number
  /** The time that the provider should keep the cache. The provider's own choice by default. */
  readonly ttl?: '5m' | '1h'
}

/** The marks in `prompt.params.promptCache`: the model caches everything up to and with these. */
export interface PromptCacheMarks {
  /** Marks the system text. */
  readonly instructions: boolean
  /** Marks the tools. */
  readonly tools: boolean
  /** The ids of the marked messages. */
  readonly messages: readonly string[]
  /** The time that the provider keeps the prompt. */
  readonly ttl?: '5m' | '1h'
}

const shape = (): Shape<PromptCacheOptions> => ({
  instructions: is.flag,
  tools: is.flag,
  messages: is.number(0),
  ttl: is.oneOf('5m', '1h'),
})

/**
 * Marks what a provider may cache, in `prompt.params.promptCache`; a model that knows no marks ignores them. Put it
 * behind everything that changes the prompt. Not a guard; it cannot change what is said.
 *
 * ```ts
 * createAgent({ model, use: [trim(), promptCache()] })
 * ```
 */
export function promptCache(options: PromptCacheOptions = {}): Middleware {
  checkOptions('promptCache', options, shape)
  const { instructions = true, tools = true, messages = 2, ttl } = options
  return middleware({
    name: 'prompt-cache',
    description: 'Marks the parts of a prompt that the provider may cache.',
    priority: 900,
    beforeModel(ctx) {
      const marked = Array.from({ length: messages }, (_, i) => ctx.messages.at(-1 - i)?.id)
      const marks: PromptCacheMarks = {
        instructions,
        tools,
        messages: marked.filter(id => id !== undefined).reverse(),
        ...(ttl ? { ttl } : {}),
      }
      ctx.prompt = changedPrompt(ctx.prompt, { params: { ...ctx.prompt.params, promptCache: marks } })
    },
  })
}
