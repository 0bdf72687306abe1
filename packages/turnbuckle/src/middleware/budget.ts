import type { Directive } from '../core/flow.ts'
import { stop } from '../core/flow.ts'
import type { Context } from '../core/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks.ts'
import type { Message } from '../core/message.ts'
import type { Usage } from '../core/ports.ts'
import type { Turn } from '../core/turn.ts'
import { stopSaying } from './option.ts'

/** A limit on what model calls use up. */
export interface Budget {
  readonly name: string
  readonly max: number
  readonly scope: 'turn' | 'conversation'
  readonly say: string | undefined
  readonly reason: string
  /** What a usage amounts to; nothing when that cannot be known. */
  used(usage: Usage): number | undefined
  /** Why the turn ends when it cannot be known; goes on when absent. */
  readonly unknown?: string | undefined
}

interface Spent {
  /** Of turns that are over. */
  readonly past: number
  /** Of turns that run, by id. A sub-agent's turn is not here: what it uses counts in the turn above it. */
  readonly running: Readonly<Record<string, number>>
}

type Counting = Pick<Context<Spent>, 'turn' | 'state' | 'update'>

/**
 * The guard behind `tokenLimit` and `costLimit`. Innermost, so that it sees each attempt of a retry and each model of a
 * fallback; inherited by sub-agents, with one purse for all.
 */
export function budget(limit: Budget): Middleware {
  const check = (ctx: Counting): Directive | undefined => verdict(limit, ctx)
  const attempt = async (ctx: Counting, next: () => Promise<Message>): Promise<Message | Directive> => {
    const reached = check(ctx)
    if (reached) return reached
    try {
      const reply = await next()
      // Nobody could pay for reading the results: the calls of this reply do not run.
      return (wantsTools(reply) && check(ctx)) || reply
    } finally {
      if (limit.scope === 'conversation') keep(limit, ctx)
    }
  }
  return middleware<Spent>({
    name: limit.name,
    guard: true,
    scope: limit.scope,
    state: { past: 0, running: {} },
    beforeTurn(ctx) {
      if (!homeOf(ctx.turn, ctx.state))
        ctx.update(spent => ({ ...spent, running: { ...spent.running, [ctx.turn.id]: 0 } }))
      return check(ctx)
    },
    wrapModel: (ctx, next) => attempt(ctx, next),
    wrapGenerate: (ctx, next) => attempt(ctx, next),
    afterTurn: ctx => fold(limit, ctx),
  })
}

/** A reply that another limit has prevented is none. */
const wantsTools = (reply: Message | undefined): boolean => reply?.content.some(part => part.type === 'call') === true

/** The turn whose purse it is: this one, or the one a sub-agent works for. */
function homeOf(turn: Turn, { running }: Spent): Turn | undefined {
  for (let at: Turn | undefined = turn; at; at = at.parent) if (at.id in running) return at
  return undefined
}

function verdict(limit: Budget, { turn, state }: Counting): Directive | undefined {
  const home = homeOf(turn, state) ?? turn
  const now = limit.used(home.usage)
  if (now === undefined) return limit.unknown === undefined ? undefined : stop(limit.unknown)
  let total = state.past + now
  for (const id in state.running) if (id !== home.id) total += state.running[id] ?? 0
  return total >= limit.max ? stopSaying(limit.reason, limit.say) : undefined
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
  ctx.update(({ past, running }) => {
    const { [ctx.turn.id]: _over, ...others } = running
    return { past: past + used, running: others }
  })
}
