import type { Difference } from './comparison.ts'
import { cutCallsIn, dataOf, deathsIn, instantOf, interruptsIn, limitsIn, meetingsIn } from './instants.ts'
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

/** With other hooks in the place of some. `change` also gets the name of their middleware. */
function withPlans(program: Program, change: (plan: HookPlan, owner: string) => HookPlan): Program {
  const changed = (owner: OwnerPlan, name: string): OwnerPlan => ({
    ...owner,
    hooks: owner.hooks.map(plan => change(plan, name)),
  })
  const turns = program.turns.map(turn => (turn.use ? { ...turn, use: changed(turn.use, 'once') } : turn))
  return { ...program, owners: program.owners.map((owner, i) => changed(owner, `m${i}`)), turns }
}

/** With hooks that only watch in the place of those that act so. */
const withoutAct = (program: Program, act: RegExp, hook: RegExp): Program =>
  withPlans(program, plan => (act.test(plan.act) && hook.test(plan.hook) ? { ...plan, act: 'watch' } : plan))

/** With a middleware that has a hook at every stage: then the version before had one engine too. */
const watched = (program: Program): Program => ({
  ...program,
  owners: [...program.owners, { guard: false, priority: 100, watches: 'stages', hooks: [] }],
})

/** The failure of a before hook that was told when its turn was over. */
const isLateFailure = (line: string): boolean =>
  / event hook\.failed .*"point":"before/.test(line) && dataOf(line)['turnId'] === undefined

/** Tells whether a line is the span of a before hook that ended with its turn, or later. */
function cutBeforeHooksIn(lines: readonly string[]): (line: string) => boolean {
  const interrupts = interruptsIn(lines)
  return line =>
    / hook (span|\S+\.onTrace) .*"kind":"hook","at":"before/.test(line) &&
    instantOf(line) >= (interrupts.get(dataOf(line)['turnId']) ?? Infinity)
}

/** The lines with the hooks of some instants last, in no particular order: spans are numbered as they begin. */
function withFreeHooks(lines: readonly string[], instants: ReadonlySet<number>): readonly string[] {
  const isFree = (line: string): boolean => instants.has(instantOf(line)) && /^\d+ hook /.test(line)
  const free = lines
    .filter(isFree)
    .map(line => line.replace(/(onOpen|onTrace|span) \{"id":\d+,("parentId":\d+,)?/, '$1 {'))
  return [...lines.filter(line => !isFree(line)), ...free.toSorted()]
}

/** With processes that die in the same instants, but only when everything has come to rest. */
function dyingAtRest({ program, lines }: Difference): Program {
  const [before, now] = [deathsIn(lines.before), deathsIn(lines.now)]
  const deaths = now.length > before.length ? now : before
  const crashes = deaths.map(({ at }, i) => ({ at: 'time' as const, n: at - (deaths[i - 1]?.at ?? 0), done: true }))
  return { ...program, crashes }
}

/** Against 680d191, the first version. */
export const namedDifferences: readonly NamedDifference[] = [
  {
    name: 'a before hook that an interrupt cut off had no end: its span stayed open, its failure was told later',
    level: lines => {
      const isCut = cutBeforeHooksIn(lines)
      return lines.filter(line => !isCut(line) && !isLateFailure(line))
    },
    instead: {
      is: ({ program, lines }) =>
        lines.before.some(isLateFailure) ||
        (hasAct(program, /^(?!watch$)/, /^onTrace$/) && lines.now.some(cutBeforeHooksIn(lines.now))),
      program: (program, { lines }) => {
        const late = new Set(
          lines.before.filter(isLateFailure).map(line => `${dataOf(line)['name']}.${dataOf(line)['point']}`),
        )
        const acts = ({ hook }: HookPlan, owner: string) => hook !== 'onTrace' && !late.has(`${owner}.${hook}`)
        return withPlans(program, (plan, owner) => (acts(plan, owner) ? plan : { ...plan, act: 'watch' }))
      },
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
    name: 'the order of the hooks of two turns in the moment one of them is interrupted was never promised',
    level: lines => withFreeHooks(lines, meetingsIn(lines)),
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
    name: 'a call that was refused before a crash ran after it, and no guard was asked',
    level: lines => lines.filter(line => !/ hook \S+\.beforeTool .*"resumed":true/.test(line)),
    instead: {
      is: ({ now, lines }) =>
        deathsIn(lines.now).length > 0 && /There is no tool| hook \S+\.beforeTool .*"resumed":true/.test(now ?? ''),
      program: (_program, difference) => dyingAtRest(difference),
    },
  },
  {
    name: 'the events that one commit takes together were never promised: a process that dies at a commit leaves more, or fewer',
    instead: {
      is: ({ program, lines, before, now }) => {
        const [deathsBefore, deathsNow] = [deathsIn(lines.before), deathsIn(lines.now)]
        if (deathsBefore.length !== deathsNow.length) return true
        if (deathsBefore.some(({ events }, i) => events !== deathsNow[i]?.events)) return true
        // Nor how far hooks have got when it is written.
        const isLast = (line: string | undefined) => deathsBefore.some(({ at }) => at === instantOf(line))
        return program.crashes.some(({ at }) => at === 'commit') && (isLast(before) || isLast(now))
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
    name: 'a step or turn that a wrap ran twice recorded messages between a call and its result',
    instead: {
      is: ({ program, lines }) =>
        hasAct(program, /^overlap$/, /^wrap(Turn|Step)$/) ||
        (hasAct(program, /^twice$/, /^wrap(Turn|Step)$/) &&
          lines.now.some(line => /cannot be recorded: it must be the result of/.test(line))),
      program: program => withoutAct(program, /^(overlap|twice)$/, /^wrap(Turn|Step)$/),
    },
  },
  {
    name: 'a checkpoint had the instructions that hooks gave after it, until the log was written',
    instead: {
      is: ({ program, before, lines }) =>
        deathsIn(lines.now).length > 0 &&
        hasAct(program, /^(instruct|instructParams|tryOut)$/) &&
        /"instructions":|"params":/.test(before ?? ''),
      program: program => withoutAct(program, /^(instruct|instructParams|tryOut)$/, /./),
    },
  },
  {
    name: 'calls that a hook replaced by something that is no list failed the batch with an error of its own code',
    instead: {
      is: ({ lines }) => lines.before.some(line => /input\.map is not a function/.test(line)),
      program: program => withoutAct(program, /^rename$/, /Tools$/),
    },
  },
]
