import type { Difference, Replayed, ReplayedTurn, TextDifference } from 'turnbuckle/stores'
import { formatCount } from '../text/format-count.ts'
import { oneLine } from '../text/one-line.ts'
import type { ReplayTally, SummedUsage } from './replay-tally.ts'

/** A replayed turn for the terminal: the outcome, then a line for each difference. */
export function replayedLines(replayed: Replayed): readonly string[] {
  const { differences, texts, divergence, unverified } = replayed
  return [
    ...differences.map(differenceLine),
    ...texts.flatMap(textLines),
    ...(divergence
      ? [
          `From ${divergence.where} on the record no longer applies (${divergence.at}): ${oneLine(divergence.reason, 300)}`,
        ]
      : []),
    ...(unverified.length ? [unverifiedLine(unverified.map(({ by }) => by))] : []),
  ]
}

const differenceLine = ({ when, directive, by, at, step, reason }: Difference): string =>
  `${when === 'then' ? '-' : '+'} ${directive} by ${by} at ${at}, step ${step}${reason ? `: ${oneLine(String(reason))}` : ''}`

const textLines = ({ role, before, after }: TextDifference): string[] => [
  ...(before === undefined ? [] : [`- ${role}: ${oneLine(before)}`]),
  ...(after === undefined ? [] : [`+ ${role}: ${oneLine(after)}`]),
]

const unverifiedLine = (names: readonly string[]): string =>
  `Not checked: ${[...new Set(names)].join(', ')} had replaced something, and the record has only what it left.`

/** A turn of a store; none for one that is the same. */
export function turnLines(turn: ReplayedTurn): readonly string[] {
  const head = `${turn.conversationId} ${turn.turnId}: ${turn.outcome}`
  switch (turn.outcome) {
    case 'same':
    case 'skipped':
      return []
    case 'failed':
      return [`${head}: ${oneLine(turn.error.message, 300)}`]
    default:
      return [head, ...replayedLines(turn).map(line => `  ${line}`)]
  }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** `3 turns in 2 conversations: 2 same, 1 different` */
export function outcomeSentence({ turns, conversations, outcomes }: ReplayTally): string {
  const { same, different, diverged, failed, skipped } = outcomes
  const parts = Object.entries({ same, different, diverged, failed }).filter(
    ([name, count]) => count || name === 'same',
  )
  const counts = parts.map(([name, count]) => `${count} ${name}`).join(', ')
  return `${plural(turns, 'turn')} in ${plural(conversations, 'conversation')}: ${counts}${skipped ? `; ${skipped} left out` : ''}.`
}

/** Lines under the turns of a store. */
export function summaryLines(tally: ReplayTally): readonly string[] {
  const { before, after, decisions, outcomes } = tally
  const comparable = outcomes.same + outcomes.different
  return [
    outcomeSentence(tally),
    ...decisions.map(
      ({ when, directive, by, at, turns }) =>
        `${when === 'then' ? '-' : '+'} ${directive} by ${by} at ${at}: ${plural(turns, 'turn')}`,
    ),
    ...(comparable ? [`Before: ${usageText(before)}. After: ${usageText(after)}. (Turns that did not diverge.)`] : []),
  ]
}

/** `1.2k tokens in, 300 out, $0.0120` */
export function usageText({ inputTokens, outputTokens, cost, unknownCalls }: SummedUsage): string {
  const tokens = `${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out`
  return `${tokens}, ${costText({ cost, unknownCalls })}`
}

/** `$0.0120`, `$0.0120 and 2 calls of unknown cost`, `cost unknown` */
export function costText({ cost, unknownCalls }: Pick<SummedUsage, 'cost' | 'unknownCalls'>): string {
  if (unknownCalls && !cost) return 'cost unknown'
  const known = `$${cost.toFixed(cost && cost < 0.1 ? 4 : 2)}`
  return unknownCalls ? `${known} and ${plural(unknownCalls, 'call')} of unknown cost` : known
}
