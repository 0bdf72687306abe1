import { isInterrupted } from '../core/base/errors.ts'
import type { Message } from '../core/base/message.ts'
import { estimateCall } from '../core/context/estimate-call.ts'
import type { Directive } from '../core/directives/directives.ts'
import type { BeforeContext, Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { stopSaying } from './option.ts'
import { costOf, type TokenPrice, tokenPrice } from './token-price.ts'

/** The options of `continuation`. */
export interface ContinuationOptions {
  /** The quantity that is counted in a turn. Steps by default. */
  readonly of?: 'steps' | 'tokens' | 'cost' | 'ms'
  /** The amount at which a person is asked. */
  readonly max: number
  /** Of `cost`: per million tokens, for models that do not say what a call costs. */
  readonly price?: TokenPrice
  /** The amount that a yes adds. As much again by default. */
  readonly more?: number
  /** Milliseconds until no answer means no. By default none where a log keeps the question, five minutes where nothing does. */
  readonly timeout?: number
  /** The closing text after a no. */
  readonly say?: string
}

/** The payload of the request, as the person is shown it. The answer is `{ decision: 'allow' | 'deny' }`. */
export interface ContinuationRequest {
  /** The measure that has reached its limit. */
  readonly limit: 'steps' | 'tokens' | 'cost' | 'ms'
  /** `unknown`: of a cost that nobody knows. A yes then holds for the rest of the turn. */
  readonly used: number | 'unknown'
  /** The limit that was reached. */
  readonly max: number
  /** The amount that a yes allows on top. */
  readonly more: number
}

interface Allowed {
  readonly steps: number
  readonly max: number
  /** A person has said yes to a cost that nobody knows. */
  readonly unknown: boolean
}

/** The answer. `scope` is no choice here: a client that always sends one may say `once`. */
const schema = {
  type: 'object',
  properties: { decision: { enum: ['allow', 'deny'] }, scope: { enum: ['once'] }, reason: { type: 'string' } },
  required: ['decision'],
  additionalProperties: false,
}

const shape = (): Shape<ContinuationOptions> => ({
  of: is.oneOf('steps', 'tokens', 'cost', 'ms'),
  max: is.needed(is.number(0)),
  price: tokenPrice(),
  more: is.number(Number.MIN_VALUE),
  timeout: is.number(0),
  say: is.text,
})

/**
 * A limit that asks: at the limit a person decides, and a yes gives that much more. No, no answer, a malformed answer
 * and any failure mean no, and the turn is stopped. Not a guard; it lets nothing through by failing.
 *
 * ```ts
 * createAgent({ model, use: [continuation({ max: 20 }), continuation({ of: 'cost', max: 1, more: 0.5 })] })
 * ```
 */
export function continuation(options: ContinuationOptions): Middleware {
  checkOptions('continuation', options, shape)
  const { of: limit = 'steps', max, more = max, timeout, say, price } = options
  const name = limit === 'steps' ? 'continuation' : `continuation-${limit}`
  const goesOn = async (ctx: Context<Allowed>, used: number | 'unknown'): Promise<boolean> => {
    const request: ContinuationRequest = { limit, used, max: ctx.state.max, more }
    try {
      const asked = ctx.ask('continuation', request, { ...(timeout === undefined ? {} : { timeout }), schema })
      return (await asked).decision === 'allow'
    } catch (error) {
      if (isInterrupted(error)) throw error
      return false
    }
  }
  const askAtLimit = async (ctx: Context<Allowed>): Promise<Directive<'stop'> | undefined> => {
    const used = measure(ctx, limit, price)
    if (used === 'unknown' ? ctx.state.unknown : used < ctx.state.max) return undefined
    const reached = used === 'unknown' ? 'the cost is not known' : `${ctx.state.max} ${limit}`
    if (!(await goesOn(ctx, used))) return stopSaying(`${reached}, and nobody allowed more`, say)
    const given = used === 'unknown' ? { unknown: true } : { max: used + more }
    ctx.update(allowed => ({ ...allowed, ...given }))
    return undefined
  }
  return middleware<Allowed>({
    name,
    description: 'Asks a person at a limit whether to go on.',
    state: { steps: 0, max, unknown: false },
    async beforeStep(ctx) {
      const no = await askAtLimit(ctx)
      if (no) return no
      ctx.update(allowed => ({ ...allowed, steps: allowed.steps + 1 }))
    },
    // A hook's own model call is no step, but it takes tokens, money and time.
    ...(limit === 'steps' ? {} : { beforeGenerate: askAtLimit }),
    ...(limit === 'tokens' || price ? { wrapModel: estimate, wrapGenerate: estimate } : {}),
  })
}

/** Estimates model calls that do not say what they use. */
async function estimate(ctx: BeforeContext<'model', Allowed>, next: () => Promise<Message>): Promise<Message> {
  const reply = await next()
  estimateCall(ctx, reply)
  return reply
}

function measure(
  { state, turn, clock }: Context<Allowed>,
  limit: ContinuationRequest['limit'],
  price: TokenPrice | undefined,
): number | 'unknown' {
  if (limit === 'steps') return state.steps
  if (limit === 'ms') return clock.elapsed()
  if (limit === 'cost') return costOf(turn.usage, price) ?? 'unknown'
  return turn.usage.inputTokens + turn.usage.outputTokens
}
