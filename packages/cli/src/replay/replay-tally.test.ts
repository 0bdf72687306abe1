import type { ReplayedTurn } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { ReplayTally } from './replay-tally.ts'

const used = (cost: number | undefined) => ({
  inputTokens: 10,
  outputTokens: 1,
  ...(cost === undefined ? {} : { cost }),
})
const stopped = { when: 'now', directive: 'stop', by: 'limit', at: 'beforeTurn', step: 0 }

/** A replayed turn, as far as it is counted. */
const turn = (outcome: ReplayedTurn['outcome'], more: object = {}): ReplayedTurn =>
  ({
    conversationId: 'c',
    turnId: 't',
    outcome,
    differences: [],
    texts: [],
    unverified: [],
    usage: { before: used(1), after: used(2) },
    ...more,
  }) as unknown as ReplayedTurn

function tallyOf(...turns: readonly ReplayedTurn[]): ReplayTally {
  const tally = new ReplayTally()
  for (const each of turns) tally.add(each)
  return tally
}

test.each([
  { outcomes: ['same', 'same'], exitCode: 0 },
  { outcomes: ['same', 'diverged'], exitCode: 3 },
  { outcomes: ['diverged', 'different'], exitCode: 1 },
  { outcomes: ['different', 'failed', 'same'], exitCode: 2 },
  { outcomes: ['skipped'], exitCode: 0 },
] as const)('of $outcomes the worst is the exit code $exitCode', ({ outcomes, exitCode }) => {
  expect(tallyOf(...outcomes.map(outcome => turn(outcome))).exitCode).toBe(exitCode)
})

test('turns that were left out are not counted as replayed, and conversations are counted once', () => {
  const tally = tallyOf(turn('same'), turn('skipped'), turn('same', { conversationId: 'd' }))
  expect([tally.turns, tally.conversations]).toEqual([2, 2])
})

test('a decision counts once in each turn that has it; the most frequent comes first', () => {
  const other = { ...stopped, by: 'other' }
  const tally = tallyOf(
    turn('different', { differences: [other, stopped, stopped] }),
    turn('different', { differences: [stopped] }),
  )
  expect(tally.decisions).toMatchObject([
    { by: 'limit', turns: 2 },
    { by: 'other', turns: 1 },
  ])
})

test('only turns to whose end the record applied are summed, and calls without a cost are counted', () => {
  const tally = tallyOf(
    turn('same'),
    turn('diverged', { divergence: { where: 'step 1', at: 'model', reason: 'gone' } }),
    turn('same', { usage: { before: used(undefined), after: used(undefined) } }),
  )
  expect(tally.before).toEqual({ inputTokens: 20, outputTokens: 2, cost: 1, unknownCalls: 1 })
  expect(tally.after).toEqual({ inputTokens: 20, outputTokens: 2, cost: 2, unknownCalls: 1 })
})
