import { TurnbuckleError } from '../core/base/errors.ts'
import { again, type Directive, fail, finish, stop } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The effect of a finish reason; `ignore` leaves it to the loop. */
export type FinishRule = 'again' | 'finish' | 'stop' | 'fail' | 'ignore'

/** The options of `finishReason`. */
export interface FinishReasonOptions {
  /** By the model's word for why it ended. Besides: `length` again, `content-filter` stop, `error` fail. */
  readonly rules?: Readonly<Record<string, FinishRule>>
  /** The most times that a turn asks the model for more. 3 by default. */
  readonly rounds?: number
  /** The message that asks the model for more. */
  readonly message?: string
}

const usual: Readonly<Record<string, FinishRule>> = { length: 'again', 'content-filter': 'stop', error: 'fail' }

const shape = (): Shape<FinishReasonOptions> => ({
  rules: is.record(is.oneOf('again', 'finish', 'stop', 'fail', 'ignore')),
  rounds: is.number(0),
  message: is.text,
})

/**
 * Acts on why the model ended: goes on after a reply that was cut at its length, ends the turn on a content filter.
 * Not a guard: when it fails the loop goes on without it.
 *
 * ```ts
 * createAgent({ model, use: [finishReason({ rules: { 'content-filter': 'fail' } })] })
 * ```
 */
export function finishReason(options: FinishReasonOptions = {}): Middleware {
  checkOptions('finishReason', options, shape)
  const { rounds = 3, message = 'Your reply was cut off. Go on exactly where it ended.' } = options
  const rules = new Map(Object.entries({ ...usual, ...options.rules }))
  return middleware<number>({
    name: 'finish-reason',
    description: 'Decides by the model’s reason to stop whether a turn goes on.',
    state: 0,
    afterDecide(ctx) {
      const reason = ctx.draft.finishReason
      const rule = reason === undefined ? undefined : rules.get(reason)
      if (!rule || rule === 'ignore') return
      if (rule !== 'again') return ended(rule, reason as string)
      if (ctx.goesOn || ctx.state >= rounds) return
      ctx.update(asked => asked + 1)
      return again(message)
    },
  })
}

function ended(rule: Exclude<FinishRule, 'again' | 'ignore'>, reason: string): Directive<'fail' | 'finish' | 'stop'> {
  const text = `the model ended: ${reason}`
  if (rule === 'finish') return finish(text)
  if (rule === 'stop') return stop(text)
  return fail(new TurnbuckleError('model.finish', `The model ended with "${reason}".`, { kind: 'model' }))
}
