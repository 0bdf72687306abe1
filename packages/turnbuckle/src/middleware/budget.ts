import { callsOf, type Message } from '../core/base/message.ts'
import type { Usage } from '../core/base/ports.ts'
import { estimateCall, isUncounted } from '../core/context/estimate-call.ts'
import { type Directive, stop } from '../core/directives/directives.ts'
import type { BeforeContext, Context } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Turn } from '../core/types/turn.ts'
import { stopSaying } from './option.ts'
import { sideBySide } from './side-by-side.ts'

/** A limit on what model calls use up. */
export interface Budget {
  readonly name: string
  readonly description: string
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
  /** Set once a model call was estimated. */
  readonly estimated: boolean
  /** Set once a model call can be neither measured nor estimated. */
  readonly unmeasured: boolean
}

type Counting = Pick<Context<Spent>, 'turn' | 'state' | 'update'>
type Calling = BeforeContext<'model', Spent>

/**
 * The guard behind `tokenLimit` and `costLimit`. Innermost, so that it sees each attempt of a retry and each model of a
 * fallback; inherited by sub-agents, with one purse for all.
 */
export function budget(limit: Budget): Middleware {
  const check = (ctx: Counting): Directive<'stop'> | undefined => verdict(limit, ctx)
  const attempt = (
    ctx: Calling,
    next: () => Promise<Message>,
  ): Promise<Message | Directive<'stop'>> | Directive<'stop'> => {
    const reached = check(ctx)
    if (reached) return reached
    const replied = next().then(reply => {
      if (reply) measure(limit, ctx, reply)
      // With the budget used up no model call could read the results, so the calls of this reply do not run.
      return (wantsTools(reply) && check(ctx)) || reply
    })
    return limit.scope === 'conversation' ? replied.finally(() => keep(limit, ctx)) : replied
  }
  return middleware<Spent>({
    name: limit.name,
    description: limit.description,
    guard: true,
    scope: limit.scope,
    state: { past: 0, running: {}, estimated: false, unmeasured: false },
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
const wantsTools = (reply: Message | undefined): boolean => reply !== undefined && callsOf(reply).length > 0

/** Sees to a call that did not say what it used, as the limit says: it is estimated, ends the budget, or counts as nothing. */
function measure(limit: Budget, ctx: Calling, reply: Message): void {
  if (limit.unknown === 'ignore' || !isUncounted(ctx)) return
  const usage = limit.unknown === 'estimate' ? estimateCall(ctx, reply) : undefined
  const measured = usage !== undefined && limit.used(usage) !== undefined
  if (measured && !ctx.state.estimated) ctx.emit({ type: 'usage.estimated', by: limit.name, ...usage })
  ctx.update(spent => (measured ? { ...spent, estimated: true } : { ...spent, unmeasured: true }))
}

/** The turn whose purse it is: this one, or the one a sub-agent works for. */
function homeOf(turn: Turn, { running }: Spent): Turn | undefined {
  for (let at: Turn | undefined = turn; at; at = at.parent) if (at.id in running) return at
  return undefined
}

function verdict(limit: Budget, { turn, state }: Counting): Directive<'stop'> | undefined {
  const home = homeOf(turn, state) ?? turn
  const now = state.unmeasured ? undefined : spentNow(limit, home)
  if (now === undefined) return limit.unknown === 'ignore' ? undefined : stop(limit.unmeasured)
  let total = state.past + now
  for (const id in state.running) if (id !== home.id) total += state.running[id] ?? 0
  if (total < limit.max) return undefined
  const estimated = state.estimated || home.usage.estimated
  const how = estimated ? ', in part estimated: the model does not say what it uses' : ''
  return stopSaying(limit.reason + how, limit.say)
}

/** The amount that the turn has used so far; for the scope `turn` with that of turns beside it. */
function spentNow(limit: Budget, home: Turn): number | undefined {
  let sum = limit.used(home.usage)
  if (limit.scope === 'conversation') return sum
  for (const other of sideBySide(home)) {
    const used = other === home ? 0 : limit.used(other.usage)
    if (sum === undefined || used === undefined) return undefined
    sum += used
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
