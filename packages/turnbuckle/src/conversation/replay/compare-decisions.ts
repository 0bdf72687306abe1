import type { Decision } from '../../core/directives/directives.ts'
import { builtInNames } from '../../core/hooks/stage-fields.ts'

/** A decision that was made only then, or only now. */
export interface Difference extends Decision {
  /** `then`: in the recorded turn alone. `now`: in the replay alone. */
  readonly when: 'then' | 'now'
}

/** A place in the order of a turn's hooks. */
export interface HookPlace {
  readonly step: number
  /** The order within the step, of `rankOf`. */
  readonly rank: number
}

export interface ComparedDecisions {
  readonly differences: readonly Difference[]
  /** Decisions of hooks that are in use now, about data that the record no longer has: nobody can tell whether they would be made again. */
  readonly unverified: readonly Decision[]
}

/**
 * The order of the stages within a step. Nobody can tell which hook made a model call of its own, and so whether a replay that ceased in
 * that step had come to it: `generate` is behind the others.
 */
const order = builtInNames

/** Stages that hold the others end behind them. */
const rankBehind: Readonly<Record<string, number>> = { turn: Infinity, step: order.length }

/** The order of a hook within its step: before hooks at their stage, wraps and after hooks behind its body. */
export function rankOf(hook: string): number {
  if (hook === 'onChunk') return order.indexOf('model') + 0.5
  const [, point, name = ''] = /^(before|wrap|after)(.+)$/.exec(hook) ?? []
  const stage = name.charAt(0).toLowerCase() + name.slice(1)
  return point === 'before' ? order.indexOf(stage) : (rankBehind[stage] ?? order.indexOf(stage) + 0.5)
}

/** The rank of a divergence: a prompt's is behind the hooks before the model, a call's behind those before the tools. */
export const divergedRank: Readonly<Record<'prompt' | 'call', number>> = {
  prompt: order.indexOf('model'),
  call: order.indexOf('tool'),
}

/**
 * `until`: where the record ceased to apply; later decisions of the record are no differences, the replay never came to them.
 * `inUse`: the names of the middleware of the replay. A sub-agent's decisions belong to its own turn.
 */
export function compareDecisions(
  then: readonly Decision[],
  now: readonly Decision[],
  { until, inUse }: { readonly until: HookPlace | undefined; readonly inUse: ReadonlySet<string> },
): ComparedDecisions {
  const [old, fresh] = [new Set(then.map(key)), new Set(now.map(key))]
  const lost = then.filter(decision => !decision.agent && isBefore(decision, until) && !fresh.has(key(decision)))
  const added = now.filter(decision => !decision.agent && !old.has(key(decision)))
  const isUnverified = (decision: Decision) => inUse.has(decision.by) && sawErased(decision)
  return {
    differences: [
      ...lost.filter(decision => !isUnverified(decision)).map(decision => ({ ...decision, when: 'then' as const })),
      ...added.map(decision => ({ ...decision, when: 'now' as const })),
    ],
    unverified: then.filter(decision => isBefore(decision, until) && isUnverified(decision)),
  }
}

/** True for a hook that looked at what its own decision keeps out of the record: chunks, a reply or a result before it was replaced. */
const sawErased = ({ directive, at }: Decision): boolean =>
  at === 'onChunk' || (directive === 'replace' && (at === 'afterTool' || at === 'afterModel'))

const isBefore = ({ step, at }: Decision, until: HookPlace | undefined): boolean =>
  !until || (rankOf(at) !== Infinity && (step < until.step || (step === until.step && rankOf(at) <= until.rank)))

const key = ({ directive, by, at, step, callId, reason }: Decision): string =>
  JSON.stringify([directive, by, at, step, callId, reason])
