import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { Backoff, type BackoffOptions, backoffShape } from './backoff.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `toolRetry`. */
export interface ToolRetryOptions extends BackoffOptions {
  /** The tools it applies to; all when absent. */
  readonly tools?: readonly (string | RegExp)[]
  /**
   * `idempotent` (default): only tools that say that running them twice does no more than running them once. `all`: every tool that
   * threw; a call that timed out still only where its tool is idempotent, for nobody knows what it did.
   */
  readonly repeat?: 'idempotent' | 'all'
  /** Only needed where an agent has several. `tool-retry` by default. */
  readonly name?: string
}

const shape = (): Shape<ToolRetryOptions> => ({
  ...backoffShape(),
  tools: is.tools,
  repeat: is.oneOf('idempotent', 'all'),
  name: is.text,
})

/**
 * Runs an idempotent tool again that threw: the first attempt and `times` more. A tool that does not say it is `idempotent` may have
 * done half of its work, so it is run again only where `repeat: 'all'` says so. Wrong arguments and unknown tools are the model's to
 * put right. Hooks' failures and interrupts pass through. Not a guard.
 *
 * ```ts
 * const search = tool({ name: 'search', idempotent: true, run })
 * createAgent({ model, tools: [search], use: [toolRetry({ times: 2 })] })
 * ```
 */
export function toolRetry(options: ToolRetryOptions = {}): Middleware {
  checkOptions('toolRetry', options, shape)
  const { name = 'tool-retry', tools, repeat = 'idempotent', ...waits } = options
  const backoff = new Backoff(waits)
  const thrown = new Backoff({ ...waits, kinds: { ...waits.kinds, timeout: 0 } })
  return middleware({
    name,
    description: 'Tries a failed call again, where that is safe.',
    ...(tools ? { tools } : {}),
    wrapTool(ctx, next) {
      if (isIdempotent(ctx)) return backoff.run(ctx, next)
      return repeat === 'all' ? thrown.run(ctx, next) : next()
    },
  })
}

const isIdempotent = ({ agent, call }: BeforeContext<'tool'>): boolean =>
  agent.tools.find(({ name }) => name === call.name)?.idempotent === true
