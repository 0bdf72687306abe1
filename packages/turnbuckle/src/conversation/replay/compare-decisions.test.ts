import { expect, test } from 'vitest'
import type { Decision } from '../../core/directives/directives.ts'
import { compareDecisions, divergedRank, rankOf } from './compare-decisions.ts'

const made = (at: string, step = 0, more: Partial<Decision> = {}): Decision => ({
  ...{ directive: 'stop', by: 'guard', at, step, won: true },
  ...more,
})
const none = new Set<string>()

test('hooks are in the order in which a step calls them', () => {
  const order = ['beforeStep', 'beforeModel', 'onChunk', 'beforeAppend', 'beforeTool', 'afterTool', 'afterDecide']
  const ranks = [...order, 'afterStep', 'afterTurn'].map(rankOf)
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
  expect(new Set(ranks).size).toBe(ranks.length)
})

test.each([
  { at: 'beforeModel', step: 1, isDifference: true },
  { at: 'afterModel', step: 1, isDifference: false },
  { at: 'afterDecide', step: 0, isDifference: true },
  { at: 'beforeStep', step: 2, isDifference: false },
  { at: 'afterTurn', step: 0, isDifference: false },
  { at: 'beforeGenerate', step: 0, isDifference: true },
  { at: 'beforeGenerate', step: 1, isDifference: false },
])('diverged at the model of step 1: a lost decision at $at of step $step', ({ at, step, isDifference }) => {
  const until = { step: 1, rank: divergedRank.prompt }
  const { differences } = compareDecisions([made(at, step)], [], { until, inUse: none })
  expect(differences).toHaveLength(isDifference ? 1 : 0)
})

test('a replaced result is unverified only while the hook that replaced it is in use', () => {
  const then = [made('afterTool', 0, { directive: 'replace' })]
  const compare = (inUse: ReadonlySet<string>) => compareDecisions(then, [], { until: undefined, inUse })
  expect(compare(new Set(['guard']))).toMatchObject({ differences: [], unverified: then })
  expect(compare(none)).toMatchObject({ differences: [{ when: 'then' }], unverified: [] })
})

test("a sub-agent's decision is not the turn's", () => {
  const agent = { name: 'helper', conversationId: 'c', turnId: 't', callId: 'x' }
  const { differences } = compareDecisions([made('beforeStep', 0, { agent })], [], { until: undefined, inUse: none })
  expect(differences).toEqual([])
})
