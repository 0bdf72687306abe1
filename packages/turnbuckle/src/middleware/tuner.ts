import type { Usage } from '../core/base/ports.ts'
import type { TurnStatus } from '../core/events/events.ts'
import type { AfterContext } from '../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'

/** The facts of a turn that are kept. */
export interface Observation {
  /** The status of the turn. */
  readonly status: TurnStatus
  /** The name of whoever ended the turn. */
  readonly by: string
  /** The number of model stages of the turn. */
  readonly steps: number
  /** Tokens and cost of the turn. */
  readonly usage: Usage
  /** Active milliseconds. */
  readonly ms: number
  /** By name: how often a tool was called, and how often that went wrong. */
  readonly tools: Readonly<Record<string, { readonly calls: number; readonly failures: number }>>
}

/** A change that somebody may make. Nothing makes it by itself. */
export interface Proposal {
  /** Equal ids are told once, until they no longer hold. */
  readonly id: string
  /** The observation that speaks for the change. */
  readonly reason: string
  /** The change to make, in words. */
  readonly change: string
}

/** Analyses what was seen and plans. */
export type TunerRule = (seen: readonly Observation[]) => Proposal | readonly Proposal[] | undefined

/** The options of `tuner`. */
export interface TunerOptions {
  /** The newest turns that are looked at. 50 by default. */
  readonly window?: number
  /** Looks after each so many turns. 10 by default. */
  readonly every?: number
  /** `tunerRules` by default. */
  readonly rules?: readonly TunerRule[]
}

const shape = (): Shape<TunerOptions> => ({ window: is.number(1), every: is.number(1), rules: is.list(is.run) })

/**
 * Watches turns of all conversations (monitor), looks for what keeps going wrong (analyse), and proposes changes (plan).
 * It only proposes: a person, or code of yours, decides. Not a guard, and fails open.
 *
 * ```ts
 * createAgent({ model, use: [tuner(proposal => console.log(proposal.reason, proposal.change))] })
 * ```
 */
export function tuner(propose: (proposal: Proposal) => unknown, options: TunerOptions = {}): Middleware {
  checkArgument('tuner', 'propose', propose, is.run)
  checkOptions('tuner', options, shape)
  const { window = 50, every = 10, rules = tunerRules } = options
  const seen: Observation[] = []
  let told = new Set<string>()
  let count = 0
  return middleware<Observation['tools']>({
    name: 'tuner',
    state: {},
    onFailure: 'open',
    afterTool(ctx) {
      const { name } = ctx.call
      const failed = ctx.result?.status === 'ok' ? 0 : 1
      ctx.update(tools => {
        const { calls, failures } = tools[name] ?? { calls: 0, failures: 0 }
        return { ...tools, [name]: { calls: calls + 1, failures: failures + failed } }
      })
    },
    async afterTurn(ctx) {
      const { status, by } = ctx.result ?? refused(ctx)
      const { steps, usage } = ctx.turn
      seen.push({ status, by, steps, usage, ms: ctx.clock.elapsed(), tools: ctx.state })
      if (seen.length > window) seen.shift()
      if (++count % every) return
      const proposals = rules.flatMap(rule => rule(seen) ?? [])
      const fresh = proposals.filter(({ id }) => !told.has(id))
      told = new Set(proposals.map(({ id }) => id))
      for (const proposal of fresh) await propose(proposal)
    },
  })
}

/** Ended before it began, by whoever said so last. */
const refused = (ctx: AfterContext<'turn'>): Pick<Observation, 'status' | 'by'> => ({
  status: ctx.status === 'failed' ? 'failed' : 'stopped',
  by: ctx.turn.explain().at(-1)?.by ?? 'turn',
})

const share = (seen: readonly Observation[], test: (seen: Observation) => boolean): number =>
  seen.length ? seen.filter(test).length / seen.length : 0
const percent = (part: number): string => `${Math.round(part * 100)} %`

/** A fifth of the turns is ended by the same limit or guard. */
const stops: TunerRule = seen =>
  [...new Set(seen.filter(({ status }) => status === 'stopped').map(({ by }) => by))].flatMap(by => {
    const part = share(seen, turn => turn.status === 'stopped' && turn.by === by)
    if (part < 0.2) return []
    return {
      id: `stops:${by}`,
      reason: `${percent(part)} of turns were stopped by ${by}.`,
      change: `Raise what ${by} allows, or change the instructions so that turns need less.`,
    }
  })

/** A tool that was called ten times fails three times in ten. */
const failingTools: TunerRule = seen =>
  [...new Set(seen.flatMap(({ tools }) => Object.keys(tools)))].flatMap(name => {
    const sum = (what: 'calls' | 'failures') => seen.reduce((total, { tools }) => total + (tools[name]?.[what] ?? 0), 0)
    const [calls, failures] = [sum('calls'), sum('failures')]
    if (calls < 10 || failures / calls < 0.3) return []
    return {
      id: `tool:${name}`,
      reason: `${name} failed in ${percent(failures / calls)} of ${calls} calls.`,
      change: `Describe ${name} and its arguments better, or add toolRetry for it.`,
    }
  })

/** A tenth of the turns fails. */
const failingTurns: TunerRule = seen => {
  const part = share(seen, ({ status }) => status === 'failed')
  if (part < 0.1) return undefined
  return { id: 'failures', reason: `${percent(part)} of turns failed.`, change: 'Add retry or fallback.' }
}

/** The rules that are there from the start. */
export const tunerRules: readonly TunerRule[] = [stops, failingTools, failingTurns]
