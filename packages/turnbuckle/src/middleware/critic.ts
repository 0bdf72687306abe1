import type { Model } from '../core/base/ports.ts'
import type { Middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { type ReviewOptions, review, reviewShape } from './review.ts'
import { ask, type Judge, reviewer } from './verdict.ts'

/** The options of `critic`. */
export interface CriticOptions extends ReviewOptions {
  /** Instructions for a model that judges. It begins its answer with ACCEPT, REVISE or REJECT. */
  readonly instructions?: string
  /** Only needed where an agent has several. `critic` by default. */
  readonly name?: string
}

const shape = (): Shape<CriticOptions> => ({ ...reviewShape(), instructions: is.text, name: is.text })

/**
 * Creator and critic apart: another model, which sees only the question and the answer, accepts the finished answer or
 * sends it back. After `rounds` the last version stands. Not a guard, but fails closed: a critic that throws, or says
 * nothing clear, fails the turn and never counts as acceptance. Its calls count against every limit.
 *
 * ```ts
 * createAgent({ model, use: [critic(otherModel, { rounds: 2 })] })
 * createAgent({ model, use: [critic(reply => ({ accepted: compiles(textOf(reply)), advice: 'It must compile.' }))] })
 * ```
 */
export function critic(judge: Judge | Model, options: CriticOptions | number = {}): Middleware {
  const given = typeof options === 'number' ? { rounds: options } : options
  checkArgument('critic', 'judge', judge, is.judge)
  checkOptions('critic', given, shape)
  const { name = 'critic', instructions = reviewer } = given as CriticOptions
  return review(name, given, (ctx, reply) => ask(ctx, reply, judge, instructions))
}
