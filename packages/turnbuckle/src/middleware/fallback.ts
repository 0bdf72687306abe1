import { isHookError, isInterrupted, messageOf } from '../core/base/errors.ts'
import type { Message } from '../core/base/message.ts'
import type { Model, Prompt } from '../core/base/ports.ts'
import { redactedText } from '../core/context/redacted-text.ts'
import type { WrapContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `fallback`. */
export interface FallbackOptions {
  /** True for an error that another model may not have. Every error by default. */
  readonly when?: (error: unknown) => boolean
}

/** A model that was tried, as the event `fallback.used` and a failed turn's `error.tried` list them. */
export interface Tried {
  /** The model's id. */
  readonly model: string
  /** The message of the error. */
  readonly error: string
}

type Next = (prompt?: Prompt) => Promise<Message>

const shape = (): Shape<FallbackOptions> => ({ when: is.run })

/**
 * Asks other models, in order, when the agent's own fails. Each switch is an event with what was tried; when all have
 * failed the last error passes through, with the list as `error.tried`. Put `retry` behind it to try each model several
 * times, before it to go through all of them again. Hooks' failures and interrupts pass through. Not a guard.
 *
 * ```ts
 * createAgent({ model, use: [fallback([second, third])] })
 * ```
 */
export function fallback(models: readonly Model[], options: FallbackOptions = {}): Middleware {
  checkArgument('fallback', 'models', models, is.some(is.model))
  checkOptions('fallback', options, shape)
  const { when = () => true } = options
  const final = (ctx: WrapContext<'model'>, error: unknown): boolean =>
    isHookError(error) || isInterrupted(error) || ctx.signal.aborted || !when(error)
  const wrap = (ctx: WrapContext<'model'>, next: Next): Promise<Message> => {
    const tried: Tried[] = []
    const ask = async (model: Model | undefined): Promise<Message> => {
      const { id } = model ?? ctx.prompt.model ?? ctx.agent.model
      try {
        return await next(model && { ...ctx.prompt, model })
      } catch (error) {
        tried.push({ model: id, error: redactedText(ctx, messageOf(error)) })
        const other = models[tried.length - 1]
        if (!other || final(ctx, error)) throw withTried(error, tried)
        ctx.withdraw('it failed, and another model is asked')
        ctx.emit({ type: 'fallback.used', from: id, to: other.id, tried: [...tried] })
        return ask(other)
      }
    }
    return ask(undefined)
  }
  return middleware({
    name: 'fallback',
    description: 'Asks another model where one fails.',
    wrapModel: wrap,
    wrapGenerate: wrap,
  })
}

/** Adds the models tried to the error object itself, so that code that catches it still knows it. */
function withTried(error: unknown, tried: readonly Tried[]): unknown {
  try {
    if (error instanceof Error && !('tried' in error))
      Reflect.defineProperty(error, 'tried', { value: tried, configurable: true })
  } catch {
    // A proxy that does not let itself be looked at.
  }
  return error
}
