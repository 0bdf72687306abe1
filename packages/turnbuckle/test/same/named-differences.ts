import {
  cutBeforeHooksIn,
  hasFailedWrap,
  isGuardedAgain,
  isInterruptAt,
  isInterrupted,
  isLateFailure,
  isLateRefusal,
  isToggled,
  isWaitingBefore,
  isWithMessage,
  isWithMove,
  lateDecision,
  lateHookOf,
  refusalsIn,
  repliesCutBeside,
  spanPlace,
  usageInDraft,
  withFreeHooks,
  withoutKeptText,
} from './difference-signs.ts'
import {
  batchesIn,
  cutCallsIn,
  cutChunksIn,
  cutsIn,
  deathsIn,
  instantOf,
  interruptsIn,
  laneOf,
  limitsIn,
  meetingsIn,
  turnsIn,
} from './instants.ts'
import {
  diesIn,
  dyingAtRest,
  hasAct,
  hasPlan,
  type Instead,
  watched,
  withoutAct,
  withoutCounting,
  withPlans,
} from './instead.ts'
import type { HookPlan, Program } from './program.ts'

/**
 * A difference that is meant: a bug of the version before that is mended, or an order that was never promised. It counts
 * only where nothing else differs: with the lines of the bug left out (`level`), or in the program without it (`instead`).
 */
export interface NamedDifference {
  /** The bug, or the order. Decision 0012 has them in the words of a user. */
  readonly name: string
  /** Leaves out, or puts in order, the lines of one version that the bug concerns. */
  readonly level?: (lines: readonly string[], program: Program) => readonly string[]
  /** The same program in which the version before does not show the bug. */
  readonly instead?: Instead
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
        ((hasAct(program, /^(?!watch$)/, /^onTrace$/) || diesIn(program, 'hook')) &&
          lines.now.some(cutBeforeHooksIn(lines.now))),
      program: (given, difference) => {
        const { lines } = difference
        // The span of a hook is told to hooks, and processes may die at the n-th hook.
        const program = diesIn(given, 'hook') ? dyingAtRest(difference) : given
        const late = new Set(lines.before.map(lateHookOf))
        const acts = ({ hook }: HookPlan, owner: string) => hook !== 'onTrace' && !late.has(`${owner}.${hook}`)
        return withPlans(program, (plan, owner) => (acts(plan, owner) ? plan : { ...plan, act: 'watch' }))
      },
    },
  },
  {
    name: 'the failure of an after hook whose model call was left out was told after an interrupt had ended its turn',
    level: lines => {
      if (!lines.some(isLateRefusal)) return lines
      return lines.filter(line => !isLateRefusal(line)).map(line => line.replace(lateDecision, ''))
    },
  },
  {
    name: 'the order in which wraps and the hooks behind them unwind at the moment a limit ends them was never promised',
    level: (lines, program) => {
      const limits = limitsIn(lines, program)
      const isSeen = (line: string) => limits.has(instantOf(line)) && /^\d+ hook /.test(line)
      return withFreeHooks(lines, limits).map(line => (isSeen(line) ? line.replace(usageInDraft, '') : line))
    },
    instead: withoutCounting(limitsIn),
  },
  {
    name: 'the order in which model calls of hooks unwind that the end of their turn cuts off was never promised',
    level: lines => {
      const cut = cutCallsIn(lines)
      // Each adds its error to the draft that all of them see; the hook that called may have been left before, or not.
      const isSeen = (line: string) => cut.has(instantOf(line)) && /^\d+ hook \S+(Generate |\.after\w+ )/.test(line)
      const plain = (line: string) =>
        line.replace(/"errors":\d+/, '').replace(/("status":"interrupted"),"entered":\w+/, '$1')
      return withFreeHooks(
        lines.map(line => (isSeen(line) ? plain(line) : line)),
        cut,
      )
    },
    instead: withoutCounting(cutCallsIn),
  },
  {
    name: 'the order of the hooks of two turns in the moment one of them is interrupted was never promised',
    level: lines => withFreeHooks(lines, meetingsIn(lines)),
    instead: withoutCounting(meetingsIn),
  },
  {
    name: 'the order among the turns, calls and attempts that one interrupt, deletion or limit ends was never promised',
    level: (lines, program) => {
      const cuts = cutsIn(lines, program)
      const isCut = (line: string): boolean => cuts.has(instantOf(line)) && /^\d+ (hook|event) /.test(line)
      const freed = (line: string): string => line.replace(/"seq":\d+,/, '').replace(usageInDraft, '')
      // Within a call, hooks and events each keep their order.
      const kindOf = (line: string): string => /^\d+ (\w+)/.exec(line)?.[1] ?? ''
      const cut = lines.filter(isCut).map(line => ({ line: freed(line), lane: `${laneOf(line)} ${kindOf(line)}` }))
      const inLanes = cut.toSorted((a, b) => (a.lane < b.lane ? -1 : Number(a.lane > b.lane)))
      return [...lines.filter(line => !isCut(line)), ...inLanes.map(({ line }) => line)]
    },
  },
  {
    name: 'the order in which onChunk hooks and the stages around them unwind at an interrupt was never promised',
    level: lines => withFreeHooks(lines, cutChunksIn(lines)),
    instead: withoutCounting(cutChunksIn),
  },
  {
    name: 'the order of two turns that people let go on in the same moment was never promised',
    instead: {
      is: ({ program, before, now, lines }) =>
        program.people.some(({ when }) => 'event' in when) &&
        instantOf(before) === instantOf(now) &&
        turnsIn(lines.before, instantOf(before)).size > 1,
      program: program => ({ ...program, people: program.people.filter(({ when }) => 'ms' in when) }),
    },
  },
  {
    name: 'whether an interrupt that is made as a message is told comes before what ends in the same moment was never promised',
    instead: {
      is: ({ program, before, now }) =>
        program.people.some(isWithMessage) &&
        instantOf(before) === instantOf(now) &&
        isInterrupted(before) !== isInterrupted(now),
      program: program => ({ ...program, people: program.people.filter(plan => !isWithMessage(plan)) }),
    },
  },
  {
    name: 'the order in which calls of one batch add their errors to the draft in the same moment was never promised',
    level: (lines, program) => {
      const together = new Set([...batchesIn(lines), ...cutsIn(lines, program)])
      const isSeen = (line: string) => together.has(instantOf(line)) && /^\d+ hook \S+(Tool|\.onError) /.test(line)
      return lines.map(line => (isSeen(line) ? line.replace(/"errors":\d+/, '') : line))
    },
  },
  {
    name: 'the order between the hooks of one call of a batch and the events of another in the same moment was never promised',
    level: lines => {
      const batches = batchesIn(lines)
      const isFree = (line: string): boolean =>
        batches.has(instantOf(line)) && /^\d+ hook \S+\.(onOpen|onTrace|wrapTool|afterTool) /.test(line)
      const freed = lines
        .filter(isFree)
        .toSorted((a, b) => (laneOf(a) < laneOf(b) ? -1 : Number(laneOf(a) > laneOf(b))))
      return [...lines.filter(line => !isFree(line)), ...freed]
    },
  },
  {
    name: 'the decisions on a turn that come after its interrupt, in the same moment, were never promised to be in the log',
    level: lines => {
      const interrupts = interruptsIn(lines)
      const isOf = (line: string | undefined) => interrupts.has(/ store decisions (\S+) /.exec(line ?? '')?.[1])
      // A replay of the turn compares its decisions with those.
      return lines.filter((line, i) => !isOf(line) && !(/ store replayed /.test(line) && isOf(lines[i - 1])))
    },
  },
  {
    name: 'the place of spans in a turn that is traced only from its middle on was never promised',
    level: (lines, program) =>
      isToggled(program) ? lines.map(line => line.replace(spanPlace, '$1 {').replace(/"depth":\d+,/, '')) : lines,
  },
  {
    name: 'what hooks are called with, and which, was another in the moment an interrupt came as the failure of a hook was told',
    instead: {
      is: ({ program, lines, before, now }) =>
        program.people.some(plan => isInterruptAt('hook.failed', plan)) &&
        [before, now].every(line => / hook /.test(line ?? '')) &&
        instantOf(now) >= Math.min(...interruptsIn(lines.now).values()),
      program: program => ({
        ...program,
        people: program.people.filter(plan => !isInterruptAt('hook.failed', plan)),
      }),
    },
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
      is: ({ program }) => program.crashes.length > 0 && (program.turns.some(({ use }) => use) || isToggled(program)),
      program: watched,
    },
  },
  {
    name: 'a call that was refused before a crash ran after it, and no guard was asked',
    level: lines => lines.filter(line => !isGuardedAgain(line)),
    instead: {
      is: ({ program, lines }) =>
        deathsIn(lines.now).length > 0 &&
        (refusalsIn(lines.now) > refusalsIn(lines.before) ||
          lines.now.some(isGuardedAgain) ||
          (program.ready.some(name => /^(dryRun|approval)$/.test(name)) &&
            program.script.some(({ finish }) => finish === 'length'))),
      // Calls at the end of a reply that was too long are refused.
      program: (program, difference) => ({
        ...(program.crashes.every(({ at }) => at === 'time') ? { ...program, crashes: [] } : dyingAtRest(difference)),
        script: program.script.map(reply => (reply.finish === 'length' ? { ...reply, finish: 'stop' } : reply)),
      }),
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
    name: 'a rewind to before the first message, read from the log after a crash, fails: the error spoke of a damaged store',
    instead: {
      is: ({ lines }) => lines.before.some(line => /the message \\"undefined\\" is missing/.test(line)),
      program: program => withoutAct(program, /^rewind(Taken|Here)$/, /./),
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
        return diesIn(program, 'commit') && (isLast(before) || isLast(now))
      },
      program: (_program, difference) => dyingAtRest(difference),
    },
  },
  {
    name: 'text of a growing reply was not kept for a crash when a message of a turn beside it was recorded meanwhile',
    level: lines => {
      const cut = repliesCutBeside(lines)
      return lines.map(line => cut.reduce(withoutKeptText, line))
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
    name: 'a call was still looked at when an interrupt that came with the usage of its reply had ended the turn',
    instead: {
      is: ({ before, now }) =>
        / event tool\.(executing|failed) /.test(before ?? '') &&
        / event tool\.failed .*"status":"interrupted"/.test(now ?? ''),
      program: program => ({ ...program, people: program.people.filter(plan => !isInterruptAt('usage', plan)) }),
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
            people: program.people.filter(plan => !isInterruptAt('tool.executing', plan)),
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
    name: 'calls that a hook replaced by something that is no list failed the batch with an error of its own code',
    instead: {
      is: ({ lines }) => lines.before.some(line => /input\.map is not a function/.test(line)),
      program: program => withoutAct(program, /^rename$/, /Tools$/),
    },
  },
  {
    name: 'a goto to a stage that there is not failed every later step of the turn too',
    instead: {
      is: ({ lines }) => lines.before.some(line => /No stage \\?"(moderate|nowhere)\\?" here/.test(line)),
      program: program => withoutAct(program, /^goto(Own|Nowhere)$/, /./),
    },
  },
  {
    name: 'the before hooks behind one that waited were still called when their turn had been parked',
    instead: {
      is: ({ program }) =>
        (diesIn(program, 'close') || program.people.some(({ does }) => does === 'close')) &&
        hasPlan(program, isWaitingBefore),
      program: program => withPlans(program, plan => (isWaitingBefore(plan) ? { ...plan, act: 'watch' } : plan)),
    },
  },
  {
    name: 'a model was asked for one more chunk after an interrupt that came while its text was told',
    instead: {
      // Only the moment differs at which everything has come to rest.
      is: ({ program, before, now }) =>
        program.script.some(({ gap }) => gap > 0) &&
        instantOf(before) !== instantOf(now) &&
        before?.replace(/\d+/g, '') === now?.replace(/\d+/g, ''),
      program: program => ({ ...program, script: program.script.map(reply => ({ ...reply, gap: 0 })) }),
    },
  },
  {
    name: 'a reply that a goto of onChunk has left behind is taken up after a crash: the turn ended there, now it fails',
    instead: {
      is: ({ program, lines }) =>
        deathsIn(lines.now).length > 0 &&
        hasAct(program, /^goto/, /^onChunk$/) &&
        lines.now.some(line => /cannot be recorded: it must be the result of/.test(line)),
      program: program => withoutAct(program, /^goto/, /^onChunk$/),
    },
  },
  {
    name: 'a turn that the deletion of its conversation had ended was then said to have failed in the store',
    instead: {
      is: ({ before, lines }) =>
        / event turn\.failed .*was deleted.*"by":"store"/.test(before ?? '') &&
        !lines.now.some(line => / event turn\.failed .*was deleted/.test(line)),
      program: program => ({ ...program, people: program.people.filter(({ does }) => does !== 'delete') }),
    },
  },
  {
    name: 'chunks that came in one list were still shown when a model call of their hook had failed the turn',
    instead: {
      is: ({ program, lines }) =>
        hasAct(program, /^splitChunk$/, /^onChunk$/) &&
        hasAct(program, /^generate/, /^onChunk$/) &&
        lines.now.some(line => / event turn\.failed /.test(line)),
      program: program => withoutAct(program, /^splitChunk$/, /^onChunk$/),
    },
  },
  {
    name: 'a message that a rewind takes along was offered to the append hooks when its turn had been interrupted',
    instead: {
      is: ({ program, before }) => program.people.some(isWithMove) && / hook \S+\.beforeAppend /.test(before ?? ''),
      program: program => ({ ...program, people: program.people.filter(plan => !isWithMove(plan)) }),
    },
  },
  {
    name: 'a directive for a model call of a hook was listed as one that lost, when the turn had failed before it was given',
    level: lines =>
      lines.map(line =>
        / result explains .*"directive":"fail"/.test(line)
          ? line.replace(/,\{"directive":"\w+","by":"\w+","at":"\w+Generate"[^{}]*"won":false\}/g, '')
          : line,
      ),
  },
  {
    name: 'the draft of a step that was interrupted on resume did not count the results that were recorded for it',
    level: lines =>
      lines.map(line =>
        / hook \S+\.after(Step|Tools) .*"resumed":true.*"status":"interrupted"/.test(line)
          ? line.replace(/"results":\d+/, '')
          : line,
      ),
  },
  {
    name: 'whether a turn has a cost that a hook sees in the moment of its interrupt was never promised',
    level: lines => {
      const instants = new Set(interruptsIn(lines).values())
      const isSeen = (line: string) => instants.has(instantOf(line)) && / hook looks /.test(line)
      return lines.map(line => (isSeen(line) ? line.replace(/,"cost":0(?=\})/, '') : line))
    },
  },
  {
    name: 'the order of two failures of one moment, of a limit and of a hook behind it, was never promised: either ends the turn',
    instead: {
      is: ({ program, lines }) => hasAct(program, /^until/, /^wrap/) && [lines.before, lines.now].every(hasFailedWrap),
      program: program => withoutAct(program, /^until/, /^wrap/),
    },
  },
]
