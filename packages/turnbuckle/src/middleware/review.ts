import { type Message, textOf } from '../core/base/message.ts'
import { redactedText } from '../core/context/redacted-text.ts'
import { again, type Directive, rewind, stop } from '../core/directives/directives.ts'
import type { AfterContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Shape } from './check-options.ts'
import * as is from './kinds.ts'
import type { Opinion } from './verdict.ts'

export interface ReviewOptions {
  /** The most times that the model improves its answer; then the last version stands. 2 by default. */
  readonly rounds?: number
  /** The effect of a rejection. `rewrite` (default): another answer, on a new branch, without the rejected one in sight. */
  readonly onReject?: 'rewrite' | 'stop'
}

export const reviewShape = (): Shape<ReviewOptions> => ({ rounds: is.number(0), onReject: is.oneOf('rewrite', 'stop') })

type Ctx = AfterContext<'decide', { readonly round: number }>

/** The loop that `critic` and `critics` share: look at the finished answer, and ask for another one. */
export function review(
  name: string,
  { rounds = 2, onReject = 'rewrite' }: ReviewOptions,
  form: (ctx: Ctx, reply: Message) => Promise<Opinion>,
): Middleware {
  return middleware<{ readonly round: number }>({
    name,
    description: 'Sends a finished answer back until it is accepted, a few times at most.',
    state: { round: 0 },
    onFailure: 'closed',
    async afterDecide(ctx) {
      const { reply } = ctx
      const { round } = ctx.state
      if (ctx.status !== 'done' || ctx.goesOn || round >= rounds || !reply || !textOf(reply)) return
      const opinion = await form(ctx, reply)
      ctx.emit({ type: 'critic.judged', by: name, round, ...opinion, advice: redactedText(ctx, opinion.advice) })
      if (opinion.decision === 'accept') return
      ctx.update(state => ({ round: state.round + 1 }))
      return follow(opinion, ctx.step, onReject)
    },
  })
}

function follow(
  { decision, advice }: Opinion,
  step: number,
  onReject: 'rewrite' | 'stop',
): Directive<'again' | 'rewind' | 'stop'> {
  if (decision === 'revise') return again(`A reviewer asks for changes. Answer again, improved.\n${advice}`.trim())
  if (onReject === 'stop') return stop(`rejected by a reviewer${advice && `: ${advice}`}`)
  return rewind(step, `Another answer was rejected by a reviewer. Avoid this:\n${advice}`.trim())
}
