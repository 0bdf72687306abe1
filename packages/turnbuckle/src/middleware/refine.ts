import { type Message, textOf } from '../core/base/message.ts'
import { again } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The options of `refine`. */
export interface RefineOptions {
  /** The number of times that the model goes over its answer. 1 by default. */
  readonly rounds?: number
  /** The message that asks the model to go over its answer. */
  readonly message?: string
  /** True when the answer is good enough. */
  readonly until?: (reply: Message, round: number) => boolean | Promise<boolean>
}

const goOver =
  'Go over your answer: correct what is wrong, add what is missing, cut what is not needed. Give the whole answer again.'

const shape = (): Shape<RefineOptions> => ({ rounds: is.number(0), message: is.text, until: is.run })

/**
 * Lets the model improve its own answer. It ends early when the answer no longer changes. Cheaper than `critic`, and
 * blind to the same mistakes. Not a guard, and fails open: when `until` throws, the answer stands.
 *
 * ```ts
 * createAgent({ model, use: [refine({ rounds: 2, until: reply => textOf(reply).length < 500 })] })
 * ```
 */
export function refine(options: RefineOptions = {}): Middleware {
  checkOptions('refine', options, shape)
  const { rounds = 1, message = goOver, until } = options
  return middleware<{ readonly round: number; readonly last: string | undefined }>({
    name: 'refine',
    description: 'Has the model improve its answer.',
    state: { round: 0, last: undefined },
    async afterDecide(ctx) {
      const { round, last } = ctx.state
      const text = textOf(ctx.reply)
      if (ctx.status !== 'done' || ctx.goesOn || round >= rounds || !ctx.reply || !text || text === last) return
      if (await until?.(ctx.reply, round)) return
      ctx.update(state => ({ round: state.round + 1, last: text }))
      return again(message)
    },
  })
}
