import type { Difference } from './comparison.ts'
import type { HookPlan, OwnerPlan, Program } from './program.ts'

/**
 * A difference that is meant: a bug of the version before that is mended, or an order that was never promised. It counts
 * only where nothing else differs: with the lines of the bug left out (`level`), or in the program without it (`instead`).
 */
export interface NamedDifference {
  /** The bug, or the order. Decision 0012 has them in the words of a user. */
  readonly name: string
  /** Leaves out, or puts in order, the lines of one version that the bug concerns. */
  readonly level?: (lines: readonly string[], program: Program) => readonly string[]
  readonly instead?: {
    /** Whether the first line that differs can come of the bug. */
    readonly is: (difference: Difference) => boolean
    /** The same program in which the version before does not show the bug. */
    readonly program: (program: Program, difference: Difference) => Program
  }
}

const ownersOf = ({ owners, turns }: Program): readonly OwnerPlan[] => [
  ...owners,
  ...turns.flatMap(({ use }) => use ?? []),
]
const hasAct = (program: Program, act: RegExp, hook = /./): boolean =>
  ownersOf(program).some(({ hooks }) => hooks.some(plan => act.test(plan.act) && hook.test(plan.hook)))

function withPlans(program: Program, change: (plan: HookPlan) => HookPlan): Program {
  const changed = (owner: OwnerPlan): OwnerPlan => ({ ...owner, hooks: owner.hooks.map(change) })
  const turns = program.turns.map(turn => (turn.use ? { ...turn, use: changed(turn.use) } : turn))
  return { ...program, owners: program.owners.map(changed), turns }
}

/** With hooks that only watch in the place of those that act so. */
const withoutAct = (program: Program, act: RegExp, hook: RegExp): Program =>
  withPlans(program, plan => (act.test(plan.act) && hook.test(plan.hook) ? { ...plan, act: 'watch' } : plan))

/** With a middleware that has a hook at every stage: then the version before had one engine too. */
const watched = (program: Program): Program => ({
  ...program,
  owners: [...program.owners, { guard: false, priority: 100, watches: 'stages', hooks: [] }],
})

export const instantOf = (line: string | undefined): number =>
  line === undefined ? Infinity : Number.parseInt(line, 10)

/** The data at the end of a line. */
function dataOf(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line.slice(line.search(/[[{]/)))
  } catch {
    return {}
  }
}

/** When turns were interrupted, by their ids. */
function interruptsIn(lines: readonly string[]): ReadonlyMap<unknown, number> {
  const ends = lines.filter(line => / event turn\.interrupted /.test(line))
  return new Map(ends.map(line => [dataOf(line)['turnId'], instantOf(line)]))
}

/** Instants at which a limit, or the deadline for the clean-up of an interrupted turn, has ended something. */
function limitsIn(lines: readonly string[], { settings: { cleanupMs } }: Program): ReadonlySet<number> {
  const ended = /throws (error: (too slow|signalled)|\S+timeout:)|caught (error: (too slow|signalled)|\S+timeout:)/
  const deadlines = [...interruptsIn(lines).values()].map(instant => instant + cleanupMs)
  return new Set([...deadlines, ...lines.filter(line => ended.test(line)).map(instantOf)])
}

/** Instants at which the end of a turn cuts off the model calls that its hooks have left behind. */
function cutCallsIn(lines: readonly string[]): ReadonlySet<number> {
  const cut = / hook \S+\.wrapGenerate throws turn\.interrupted/
  return new Set(lines.filter(line => cut.test(line)).map(instantOf))
}

/** Instants at which one turn is interrupted and another one begins. */
function handoversIn(lines: readonly string[]): ReadonlySet<number> {
  const begun = lines.filter(line => / event turn\.started /.test(line)).map(instantOf)
  const ended = new Set(interruptsIn(lines).values())
  return new Set(begun.filter(instant => ended.has(instant)))
}

/** The lines with the hooks of some instants last, in no particular order: spans are numbered as they begin. */
function withFreeHooks(lines: readonly string[], instants: ReadonlySet<number>): readonly string[] {
  const isFree = (line: string): boolean => instants.has(instantOf(line)) && /^\d+ hook /.test(line)
  const free = lines
    .filter(isFree)
    .map(line => line.replace(/(onOpen|onTrace|span) \{"id":\d+,("parentId":\d+,)?/, '$1 {'))
  return [...lines.filter(line => !isFree(line)), ...free.toSorted()]
}

/** The deaths of a program's processes: the instant, and the number of events that the store had by then. */
const deathsIn = (lines: readonly string[]): { readonly at: number; readonly events: number }[] =>
  lines.flatMap(line => {
    const died = / person died\t(\d+)$/.exec(line)
    return died ? [{ at: instantOf(line), events: Number(died[1]) }] : []
  })

/** With processes that die in the same instants, but only when everything has come to rest. */
function dyingAtRest({ program, lines }: Difference): Program {
  const deaths = deathsIn(lines.before)
  const crashes = deaths.map(({ at }, i) => ({ at: 'time' as const, n: at - (deaths[i - 1]?.at ?? 0), done: true }))
  return { ...program, crashes }
}

/** Against 680d191, the first version. */
export const namedDifferences: readonly NamedDifference[] = [
  {
    name: 'a before hook that an interrupt cut off had no end: its span stayed open, its failure was told later',
    level(lines) {
      const interrupts = interruptsIn(lines)
      const isCut = (line: string): boolean => {
        if (/ event hook\.failed .*"point":"before/.test(line)) return dataOf(line)['turnId'] === undefined
        if (!/ hook (span|\S+\.onTrace) .*"kind":"hook","at":"before/.test(line)) return false
        return instantOf(line) >= (interrupts.get(dataOf(line)['turnId']) ?? Infinity)
      }
      return lines.filter(line => !isCut(line))
    },
  },
  {
    name: 'the order in which wraps and the hooks behind them unwind at the moment a limit ends them was never promised',
    level: (lines, program) => withFreeHooks(lines, limitsIn(lines, program)),
  },
  {
    name: 'the order in which model calls of hooks unwind that the end of their turn cuts off was never promised',
    level: lines => {
      const cut = cutCallsIn(lines)
      // Each adds its error to the draft that all of them see.
      const isSeen = (line: string) => cut.has(instantOf(line)) && /^\d+ hook \S+Generate /.test(line)
      return withFreeHooks(lines, cut).map(line => (isSeen(line) ? line.replace(/"errors":\d+/, '') : line))
    },
  },
  {
    name: 'the order of the hooks of two turns, of which one begins as the other is interrupted, was never promised',
    level: lines => withFreeHooks(lines, handoversIn(lines)),
  },
  {
    name: 'an interrupt while the failure of a before hook was told did not count where the hook had not waited',
    instead: {
      is: ({ lines }) => lines.before.some(line => / event hook\.failed .*"point":"before/.test(line)),
      program: program =>
        withPlans(program, plan =>
          /^before/.test(plan.hook) && plan.wait === 'none' ? { ...plan, wait: 'micro' } : plan,
        ),
    },
  },
  {
    name: 'a built-in stage replaced under its own name was left out, or saw the context of its parent, when it had no hooks',
    instead: {
      is: ({ program }) => program.pipeline.some(({ op }) => op === 'replace'),
      // Where hooks are off, no hook can show what the stage does.
      program: program =>
        program.pipeline.some(({ op }) => op === 'performance')
          ? { ...program, pipeline: program.pipeline.filter(({ op }) => op !== 'replace') }
          : watched(program),
    },
  },
  {
    name: 'hooks that had finished ran again after a crash when the next process had hooks at other stages',
    instead: {
      is: ({ program }) =>
        program.crashes.length > 0 &&
        (program.turns.some(({ use }) => use) ||
          hasAct(program, /^(use|disable|enable)$/) ||
          program.people.some(({ does }) => /^(use|unuse|disable|enable)$/.test(does))),
      program: watched,
    },
  },
  {
    name: 'a call that was refused before a crash, its tool taken out of the prompt, ran after it, and no guard was asked',
    instead: {
      is: ({ now, lines }) => deathsIn(lines.now).length > 0 && /There is no tool/.test(now ?? ''),
      program: (_program, difference) => dyingAtRest(difference),
    },
  },
  {
    name: 'the events that one commit takes together were never promised: a process that dies at a commit leaves more, or fewer',
    instead: {
      is: ({ lines }) => {
        const [before, now] = [deathsIn(lines.before), deathsIn(lines.now)]
        return before.some(({ events }, i) => events !== now[i]?.events)
      },
      program: (_program, difference) => dyingAtRest(difference),
    },
  },
  {
    name: 'a limit around a step or a turn did not end the model call inside where a stage between them had hooks',
    instead: {
      is: ({ program, lines }) =>
        hasAct(program, /^until/, /^wrap(Turn|Step)$/) &&
        [...lines.before, ...lines.now].some(line => /too slow|signalled/.test(line)),
      program: program => withoutAct(program, /^until/, /^wrap(Turn|Step)$/),
    },
  },
  {
    name: 'an interrupt that came while tool.executing was told still started the tool',
    instead: {
      is: ({ before }) => /^\d+ tool /.test(before ?? ''),
      program: program =>
        withoutAct(
          {
            ...program,
            people: program.people.filter(
              ({ when, does }) =>
                !('event' in when && when.event === 'tool.executing' && /interrupt|breakIn/.test(does)),
            ),
          },
          /^interrupt$/,
          /^on(Event|Open|Trace)$/,
        ),
    },
  },
  {
    name: 'a step or turn that a wrap ran twice at once recorded messages between a call and its result',
    instead: {
      is: ({ program }) => hasAct(program, /^overlap$/, /^wrap(Turn|Step)$/),
      program: program => withoutAct(program, /^overlap$/, /^wrap(Turn|Step)$/),
    },
  },
]
