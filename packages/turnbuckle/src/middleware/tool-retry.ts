import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { Backoff, type BackoffOptions, backoffShape } from './backoff.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

export interface ToolRetryOptions extends BackoffOptions {
  /** The tools it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  readonly name?: string
}

const shape = (): Shape<ToolRetryOptions> => ({ ...backoffShape(), tools: is.tools, name: is.text })

/**
 * Runs a tool again that threw: the first attempt and `times` more. Nobody knows what a call did that timed out, so that
 * one is repeated only where the tool says it is `idempotent`. Wrong arguments and unknown tools are the model's to put
 * right. Hooks' failures and interrupts pass through. Not a guard.
 *
 * ```ts
 * createAgent({ model, tools, use: [toolRetry({ tools: ['search'], times: 2 })] })
 * ```
 */
export function toolRetry(options: ToolRetryOptions = {}): Middleware {
  checkOptions('toolRetry', options, shape)
  const { name = 'tool-retry', tools } = options
  const backoff = new Backoff(options)
  const once = new Backoff({ ...options, kinds: { ...options.kinds, timeout: 0 } })
  return middleware({
    name,
    ...(tools ? { tools } : {}),
    wrapTool: (ctx, next) => (isIdempotent(ctx) ? backoff : once).run(ctx, next),
  })
}

const isIdempotent = ({ agent, call }: BeforeContext<'tool'>): boolean =>
  agent.tools.find(({ name }) => name === call.name)?.idempotent === true
