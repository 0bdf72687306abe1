import type { Difference } from './comparison.ts'
import { deathsIn, instantOf } from './instants.ts'
import type { CrashPlan, HookPlan, OwnerPlan, Program } from './program.ts'

/** Another program for one that differs: the same without the thing that the difference may come of. */
export interface Instead {
  /** Whether the first line that differs can come of it. */
  readonly is: (difference: Difference) => boolean
  /** The program in which the version before does not show it. */
  readonly program: (program: Program, difference: Difference) => Program
}

const ownersOf = ({ owners, turns }: Program): readonly OwnerPlan[] => [
  ...owners,
  ...turns.flatMap(({ use }) => use ?? []),
]
export const hasPlan = (program: Program, is: (plan: HookPlan) => boolean): boolean =>
  ownersOf(program).some(({ hooks }) => hooks.some(is))
export const hasAct = (program: Program, act: RegExp, hook = /./): boolean =>
  hasPlan(program, plan => act.test(plan.act) && hook.test(plan.hook))

/** With other hooks in the place of some. `change` also gets the name of their middleware. */
export function withPlans(program: Program, change: (plan: HookPlan, owner: string) => HookPlan): Program {
  const changed = (owner: OwnerPlan, name: string): OwnerPlan => ({
    ...owner,
    hooks: owner.hooks.map(plan => change(plan, name)),
  })
  const turns = program.turns.map(turn => (turn.use ? { ...turn, use: changed(turn.use, 'once') } : turn))
  return { ...program, owners: program.owners.map((owner, i) => changed(owner, `m${i}`)), turns }
}

/** With hooks that only watch in the place of those that act so. */
export const withoutAct = (program: Program, act: RegExp, hook: RegExp): Program =>
  withPlans(program, plan => (act.test(plan.act) && hook.test(plan.hook) ? { ...plan, act: 'watch' } : plan))

/** With a middleware that has a hook at every stage: then the version before had one engine too. */
export const watched = (program: Program): Program => ({
  ...program,
  owners: [...program.owners, { guard: false, priority: 100, watches: 'stages', hooks: [] }],
})

export const diesIn = ({ crashes }: Program, place: CrashPlan['at']): boolean => crashes.some(({ at }) => at === place)

/** With processes that die in the same instants, but only when everything has come to rest. */
export function dyingAtRest({ program, lines }: Difference): Program {
  const [before, now] = [deathsIn(lines.before), deathsIn(lines.now)]
  const deaths = now.length > before.length ? now : before
  const crashes = deaths.map(({ at }, i) => ({ at: 'time' as const, n: at - (deaths[i - 1]?.at ?? 0), done: true }))
  return { ...program, crashes }
}

/** Hooks that are called twice in one of some instants: which call is the n-th there depends on the order. */
function countedIn(lines: readonly string[], instants: ReadonlySet<number>): ReadonlySet<string> {
  const [seen, twice] = [new Set<string>(), new Set<string>()]
  for (const line of lines) {
    const hook = /^\d+ hook (\S+) \{/.exec(line)?.[1]
    if (!hook || !instants.has(instantOf(line))) continue
    const call = `${instantOf(line)} ${hook}`
    if (seen.has(call)) twice.add(hook)
    seen.add(call)
  }
  return twice
}

/** With hooks that only watch in the place of those that act at the n-th call, where calls have no order. */
export function withoutCounting(
  instantsIn: (lines: readonly string[], program: Program) => ReadonlySet<number>,
): Instead {
  const program = (given: Program, { lines }: Difference): Program => {
    const counted = countedIn(lines.before, instantsIn(lines.before, given))
    const acts = ({ hook, at }: HookPlan, owner: string) => at === -1 || !counted.has(`${owner}.${hook}`)
    return withPlans(given, (plan, owner) => (acts(plan, owner) ? plan : { ...plan, act: 'watch' }))
  }
  const is = (difference: Difference): boolean =>
    JSON.stringify(program(difference.program, difference)) !== JSON.stringify(difference.program)
  return { is, program }
}
