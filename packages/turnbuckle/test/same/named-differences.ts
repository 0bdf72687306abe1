import type { Difference } from './comparison.ts'
import type { Program } from './program.ts'

/** A difference that is meant: a bug of the version before that is mended, or an order that was never promised. */
export interface NamedDifference {
  /** The bug, or the order. Decision 0012 has them in the words of a user. */
  readonly name: string
  readonly is: (difference: Difference) => boolean
}

const hasAct = ({ owners }: Program, act: RegExp, hook = /./): boolean =>
  owners.some(({ hooks }) => hooks.some(plan => act.test(plan.act) && hook.test(plan.hook)))

const says = ({ before, now }: Difference, text: RegExp): boolean => text.test(`${before}\n${now}`)

/** Against 680d191, the first version. */
export const namedDifferences: readonly NamedDifference[] = [
  {
    name: 'a built-in stage replaced under its own name was left out, or saw the context of its parent, when it had no hooks',
    is: ({ program }) => program.pipeline.some(({ op }) => op === 'replace'),
  },
  {
    name: 'a limit around a step or a turn ends the model call inside, with or without hooks on the model',
    is: ({ program }) => hasAct(program, /^until/, /^wrap(Turn|Step)$/),
  },
  {
    name: 'an interrupt that comes while tool.executing is told no longer starts the tool',
    is: ({ before, now }) => / tool \w/.test(before ?? '') && /interrupted/.test(now ?? ''),
  },
  {
    name: 'the span of a before hook that an interrupt cuts off ends with the interrupt',
    is: difference => says(difference, /onTrace|onOpen| span /) && says(difference, /interrupted/),
  },
  {
    name: 'the order in which two wraps, a wrap and an after hook, or two turns unwind at one moment was never promised',
    is: difference =>
      says(difference, /throws|caught|gives|answered/) ||
      hasAct(difference.program, /^(overlap|twice|agentSend)$/) ||
      difference.program.people.some(({ does }) => does === 'beside'),
  },
]
