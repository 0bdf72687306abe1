import type { Message } from '../core/base/message.ts'
import type { Usage } from '../core/base/ports.ts'
import { type Directive, stop } from '../core/hooks/directives.ts'
import type { BeforeContext, Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { estimateUsage, isUnsaid } from '../core/model/estimate-usage.ts'
import type { Turn } from '../core/types/turn.ts'
import { stopSaying } from './option.ts'
import { sideBySide } from './side-by-side.ts'

/** A limit on what model calls use up. */
export interface Budget {
  readonly name: string
  readonly max: number
  readonly scope: 'turn' | 'conversation'
  readonly say: string | undefined
  readonly reason: string
  /** The amount of the budget that a usage takes; undefined when that cannot be known. */
  used(usage: Usage): number | undefined
  /** The amount for a model call without reported usage: an estimate, all that is left, or nothing. */
  readonly unknown: 'estimate' | 'stop' | 'ignore'
  /** The reason given when a turn ends because its usage cannot be known. */
  readonly unmeasured: string
}

interface Spent {
  /** The amount that turns used which are over. */
  readonly past: number
  /** The amounts of running turns, by id. A sub-agent's turn is not here: its usage counts in the turn above it. */
  readonly running: Readonly<Record<string, number>>
  /** The estimated amount of model calls without reported usage. */
  readonly estimated: number
  /** Set once a model call can be neither measured nor estimated. */
  readonly unmeasured: boolean
}

type Estimates = WeakMap<Turn, number>
type Counting = Pick<Context<Spent>, 'turn' | 'state' | 'update'>
type Calling = BeforeContext<'model', Spent>

/**
 * The guard behind `tokenLimit` and `costLimit`. Innermost, so that it sees each attempt of a retry and each model of a
 * fallback; inherited by sub-agents, with one purse for all.
 */
export function budget(limit: Budget): Middleware {
  /** The estimated amount of each turn: turns beside it cannot see its turn-scoped state. */
  const estimates: Estimates = new WeakMap()
  const check = (ctx: Counting): Directive<'stop'> | undefined => verdict(limit, estimates, ctx)
  const attempt = (
    ctx: Calling,
    next: () => Promise<Message>,
  ): Promise<Message | Directive<'stop'>> | Directive<'stop'> => {
    const reached = check(ctx)
    if (reached) return reached
    const before = ctx.turn.usage
    const replied = next().then(reply => {
      if (reply && saidNothing(ctx, before)) guess(limit, estimates, ctx, reply)
      // With the budget used up no model call could read the results, so the calls of this reply do not run.
      return (wantsTools(reply) && check(ctx)) || reply
    })
    return limit.scope === 'conversation' ? replied.finally(() => keep(limit, ctx)) : replied
  }
  return middleware<Spent>({
    name: limit.name,
    guard: true,
    scope: limit.scope,
    state: { past: 0, running: {}, estimated: 0, unmeasured: false },
    beforeTurn(ctx) {
      if (!homeOf(ctx.turn, ctx.state))
        ctx.update(spent => ({ ...spent, running: { ...spent.running, [ctx.turn.id]: 0 } }))
      return check(ctx)
    },
    wrapModel: attempt,
    wrapGenerate: attempt,
    afterTurn: ctx => fold(limit, ctx),
  })
}

/** A reply that another limit has prevented is none. */
const wantsTools = (reply: Message | undefined): boolean => reply?.content.some(part => part.type === 'call') === true

/** True where the model did not report the usage of this call, the turn's or a hook's own. */
function saidNothing(ctx: Calling, before: Usage): boolean {
  if (ctx.stage === 'model') return isUnsaid(ctx)
  const { inputTokens, outputTokens } = ctx.turn.usage
  return inputTokens === before.inputTokens && outputTokens === before.outputTokens
}

function guess(limit: Budget, estimates: Estimates, ctx: Calling, reply: Message): void {
  if (limit.unknown === 'ignore') return
  const usage = estimateUsage(ctx, reply, ctx.stage === 'model' ? 'turn' : 'hook')
  const more = limit.unknown === 'estimate' ? limit.used(usage) : undefined
  if (more !== undefined && !ctx.state.estimated) ctx.emit({ type: 'usage.estimated', by: limit.name, ...usage })
  const home = homeOf(ctx.turn, ctx.state) ?? ctx.turn
  estimates.set(home, (estimates.get(home) ?? 0) + (more ?? 0))
  ctx.update(spent =>
    more === undefined ? { ...spent, unmeasured: true } : { ...spent, estimated: spent.estimated + more },
  )
}

/** The turn whose purse it is: this one, or the one a sub-agent works for. */
function homeOf(turn: Turn, { running }: Spent): Turn | undefined {
  for (let at: Turn | undefined = turn; at; at = at.parent) if (at.id in running) return at
  return undefined
}

function verdict(limit: Budget, estimates: Estimates, { turn, state }: Counting): Directive<'stop'> | undefined {
  const home = homeOf(turn, state) ?? turn
  const now = state.unmeasured ? undefined : spentNow(limit, estimates, home)
  if (now === undefined) return limit.unknown === 'ignore' ? undefined : stop(limit.unmeasured)
  let total = state.past + state.estimated + now
  for (const id in state.running) if (id !== home.id) total += state.running[id] ?? 0
  if (total < limit.max) return undefined
  const how = state.estimated ? ', in part estimated: the model does not say what it uses' : ''
  return stopSaying(limit.reason + how, limit.say)
}

/** The amount that the turn has used so far; for the scope `turn` with that of turns beside it. */
function spentNow(limit: Budget, estimates: Estimates, home: Turn): number | undefined {
  let sum = limit.used(home.usage)
  if (limit.scope === 'conversation') return sum
  for (const other of sideBySide(home)) {
    const used = other === home ? 0 : limit.used(other.usage)
    if (sum === undefined || used === undefined) return undefined
    if (other !== home) sum += used + (estimates.get(other) ?? 0)
  }
  return sum
}

/** Turns beside this one, on other branches, see what it has used. */
function keep(limit: Budget, ctx: Counting): void {
  const home = homeOf(ctx.turn, ctx.state)
  if (!home) return
  const used = limit.used(home.usage) ?? 0
  ctx.update(spent => ({ ...spent, running: { ...spent.running, [home.id]: used } }))
}

function fold(limit: Budget, ctx: Counting): void {
  if (!(ctx.turn.id in ctx.state.running)) return
  const used = limit.used(ctx.turn.usage) ?? 0
  ctx.update(({ running, ...spent }) => {
    const { [ctx.turn.id]: _over, ...others } = running
    return { ...spent, past: spent.past + used, running: others }
  })
}
