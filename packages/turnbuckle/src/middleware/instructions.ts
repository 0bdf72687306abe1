import type { Maybe } from '../core/base/maybe.ts'
import { isThenable } from '../core/base/ports.ts'
import type { BeforeContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import { instructed } from './instructed.ts'
import * as is from './kinds.ts'

/** Text for the coming model call, or nothing. */
export type WriteInstructions = (ctx: BeforeContext<'model', undefined>) => Maybe<string | undefined>

/** The options of `instructions`. */
export interface InstructionsOptions {
  /** Only needed where an agent has several. `instructions` by default. */
  readonly name?: string
}

const shape = (): Shape<InstructionsOptions> => ({ name: is.text })

/**
 * Adds to the system text of each model call what is true just then. Not a guard; when it fails, its model call fails.
 *
 * ```ts
 * createAgent({ model, use: [instructions(ctx => `Today is ${day(ctx.clock.now())}.`)] })
 * ```
 */
export function instructions(write: string | WriteInstructions, options: InstructionsOptions = {}): Middleware {
  checkArgument('instructions', 'write', write, is.either(is.text, is.run))
  checkOptions('instructions', options, shape)
  return middleware({
    name: options.name ?? 'instructions',
    description: 'Adds instructions to the prompt.',
    beforeModel(ctx) {
      const add = (text: string | undefined) => {
        if (text) ctx.prompt = instructed(ctx.prompt, text)
      }
      const text = typeof write === 'string' ? write : write(ctx)
      return isThenable(text) ? text.then(add) : add(text)
    },
  })
}
