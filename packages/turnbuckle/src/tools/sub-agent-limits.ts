import type { Message } from '../core/base/message.ts'
import type { Usage } from '../core/base/ports.ts'
import { estimateCall } from '../core/context/estimate-call.ts'
import { nextWithin, tooLate } from '../core/context/next-within.ts'
import { block, Directive, stop } from '../core/directives/directives.ts'
import type { BeforeContext, Context, NextOptions } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Conversation } from '../core/types/conversation.ts'
import type { AgentToolOptions, Budget, Names } from './agent-tool-options.ts'

type Next<Result> = (input?: undefined, options?: NextOptions) => Promise<Result>

/** Model calls and tools of a sub-agent's turn that run now, each with a limit of its own that ends it in time. */
export interface UnderWay {
  calls: number
}

export const timeLimitOf = (ms: number): string => `${ms} ms are its limit`

/** The options of `agentTool` that limit its sub-agent. */
export type SubAgentRules = Pick<AgentToolOptions<never>, 'name' | 'allow' | 'deny' | 'maxSteps' | 'budget'>

/** Middleware for this turn of the sub-agent alone, besides its own. `eachStep` is awaited before a step of it, or of an agent below, is looked at. */
export function subAgentLimits(
  options: SubAgentRules,
  { id }: Conversation,
  underWay: UnderWay,
  eachStep?: () => Promise<void>,
): Middleware[] {
  const { allow, deny = [], maxSteps = Infinity, budget } = options
  const isOwn = (conversation: Conversation) => conversation.id === id
  const offered = (name: string) => (!allow || matches(allow, name)) && !matches(deny, name)
  const offer = middleware({
    name: `${options.name}.offer`,
    priority: 1000,
    beforeModel(ctx) {
      ctx.prompt.tools = ctx.prompt.tools.filter(({ name }) => offered(name))
    },
  })
  const inTime = async <Result>(ctx: Context, next: Next<Result>): Promise<Result | Directive> => {
    const ms = isOwn(ctx.conversation) ? (budget?.ms ?? Infinity) : Infinity
    if (ms === Infinity) return next()
    underWay.calls++
    try {
      const result = await nextWithin(ctx, ms - ctx.clock.elapsed(), next)
      return result === tooLate ? stop(timeLimitOf(ms)) : result
    } finally {
      underWay.calls--
    }
  }
  // Calls that do not say what they use are estimated, those of agents below included.
  const attempt = async (ctx: BeforeContext<'model'>, next: Next<Message>): Promise<Message | Directive> => {
    const reply = await inTime(ctx, next)
    if (!(reply instanceof Directive)) estimateCall(ctx, reply)
    return reply
  }
  const limitStep = (ctx: BeforeContext<'step'>): Directive<'stop'> | undefined => {
    if (!isOwn(ctx.conversation)) return
    if (ctx.step >= maxSteps) return stop(`${maxSteps} steps are its limit`)
    const spent = budget && overspent(budget, ctx.turn.usage, ctx.clock.elapsed())
    if (spent) return stop(spent)
  }
  const guard = middleware({
    name: `${options.name}.limits`,
    guard: true,
    maxSteps,
    beforeStep: eachStep ? ctx => eachStep().then(() => limitStep(ctx)) : limitStep,
    ...(budget ? { wrapModel: attempt, wrapGenerate: attempt } : {}),
    ...(budget?.ms === undefined ? {} : { wrapTool: inTime }),
    beforeTool({ conversation, call: { name } }) {
      if (matches(deny, name) || (isOwn(conversation) && !offered(name)))
        return block(`${options.name} may not use ${name}.`)
    },
  })
  return allow || deny.length ? [offer, guard] : [guard]
}

const matches = (names: Names, name: string): boolean =>
  names.some(pattern => (typeof pattern === 'string' ? pattern === name : name.search(pattern) >= 0))

function overspent({ tokens, cost, ms }: Budget, usage: Usage, elapsed: number): string | undefined {
  const used = usage.inputTokens + usage.outputTokens
  if (tokens !== undefined && used >= tokens) return `${tokens} tokens are its limit`
  if (cost !== undefined && usage.cost === undefined) return 'its cost is not known, so its budget cannot be kept'
  if (cost !== undefined && (usage.cost ?? 0) >= cost) return `a cost of ${cost} is its limit`
  if (ms !== undefined && elapsed >= ms) return timeLimitOf(ms)
}
