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
  { id }: Pick<Conversation, 'id'>,
  underWay: UnderWay,
  eachStep?: () => Promise<void>,
): Middleware[] {
  const { name, allow, deny = [], maxSteps = Infinity, budget } = options
  const isOwn: IsOwn = conversation => conversation.id === id
  const offered = (tool: string) => (!allow || matches(allow, tool)) && !matches(deny, tool)
  const limitStep = (ctx: BeforeContext<'step'>): Directive<'stop'> | undefined => {
    if (!isOwn(ctx.conversation)) return
    if (ctx.step >= maxSteps) return stop(`${maxSteps} steps are its limit`)
    const spent = budget && overspent(budget, ctx.turn.usage, ctx.clock.elapsed())
    if (spent) return stop(spent)
  }
  const guard = middleware({
    name: `${name}.limits`,
    guard: true,
    maxSteps,
    beforeStep: eachStep ? ctx => eachStep().then(() => limitStep(ctx)) : limitStep,
    ...(budget ? budgetWraps(budget, isOwn, underWay) : {}),
    beforeTool({ conversation, call }) {
      if (matches(deny, call.name) || (isOwn(conversation) && !offered(call.name)))
        return block(`${name} may not use ${call.name}.`)
    },
  })
  return allow || deny.length ? [offerOnly(name, offered), guard] : [guard]
}

/** True for the conversation of the sub-agent itself, and not of one below it. */
type IsOwn = (conversation: Conversation) => boolean

const offerOnly = (agent: string, offered: (tool: string) => boolean): Middleware =>
  middleware({
    name: `${agent}.offer`,
    priority: 1000,
    beforeModel(ctx) {
      ctx.prompt.tools = ctx.prompt.tools.filter(({ name }) => offered(name))
    },
  })

/** Wraps of model calls and tools that keep the sub-agent within its budget. */
function budgetWraps({ ms = Infinity }: Budget, isOwn: IsOwn, underWay: UnderWay) {
  const inTime = async <Result>(ctx: Context, next: Next<Result>): Promise<Result | Directive> => {
    if (ms === Infinity || !isOwn(ctx.conversation)) return next()
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
  return { wrapModel: attempt, wrapGenerate: attempt, ...(ms === Infinity ? {} : { wrapTool: inTime }) }
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
