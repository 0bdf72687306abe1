import type { Model } from '../core/base/ports.ts'
import type { Middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { type ReviewOptions, review, reviewShape } from './review.ts'
import { ask, type Judge, type Opinion, reviewer } from './verdict.ts'

/** One judge of a panel, and its weight in the vote. */
export interface WeightedCritic {
  /** A function, or a model. */
  readonly judge: Judge | Model
  /** 1 by default. */
  readonly weight?: number
  /** Instructions for a model that judges. */
  readonly instructions?: string
}

/** The options of `critics`. */
export interface CriticsOptions extends ReviewOptions {
  /** The share of the weight that must accept. `majority` (default) is more than half, `all` everyone. */
  readonly consensus?: 'majority' | 'all' | number
}

interface Vote extends Opinion {
  readonly weight: number
}

const critic = (): is.Kind =>
  is.some(is.shaped('{ judge, weight? }', { judge: is.judge, weight: is.optional(is.number(0)) }))
const shape = (): Shape<CriticsOptions> => ({
  ...reviewShape(),
  consensus: is.either(is.oneOf('majority', 'all'), is.share),
})

/**
 * Several critics, side by side. The answer stands when enough of their weight accepts it; it is rejected when more
 * than half of the weight rejects it; else it goes back with everyone's advice. A critic that throws votes against.
 * Not a guard, but fails closed: when all of them throw, the turn fails.
 *
 * ```ts
 * critics([{ judge: facts, weight: 2 }, { judge: tone }], { consensus: 0.6 })
 * ```
 */
export function critics(list: readonly WeightedCritic[], options: CriticsOptions = {}): Middleware {
  checkArgument('critics', 'list', list, critic())
  checkOptions('critics', options, shape)
  const { consensus = 'majority' } = options
  return review('critics', options, async (ctx, reply) => {
    const asked = await Promise.allSettled(
      list.map(async ({ judge, instructions = reviewer }) => ask(ctx, reply, judge, instructions)),
    )
    const failed = asked.filter(answer => answer.status === 'rejected')
    if (failed.length === asked.length) throw failed[0]?.reason
    return tally(
      asked.map((answer, i): Vote => {
        const weight = list[i]?.weight ?? 1
        return answer.status === 'fulfilled' ? { ...answer.value, weight } : { decision: 'revise', advice: '', weight }
      }),
      consensus,
    )
  })
}

function tally(votes: readonly Vote[], consensus: 'majority' | 'all' | number): Opinion {
  const share = (decision: Opinion['decision']) =>
    votes.reduce((sum, vote) => sum + (vote.decision === decision ? vote.weight : 0), 0) /
    votes.reduce((sum, vote) => sum + vote.weight, 0)
  const accepted = share('accept')
  const enough = consensus === 'majority' ? accepted > 0.5 : accepted >= (consensus === 'all' ? 1 : consensus)
  if (enough) return { decision: 'accept', advice: '' }
  const advice = votes.filter(vote => vote.decision !== 'accept' && vote.advice).map(vote => `- ${vote.advice}`)
  return { decision: share('reject') > 0.5 ? 'reject' : 'revise', advice: advice.join('\n') }
}
