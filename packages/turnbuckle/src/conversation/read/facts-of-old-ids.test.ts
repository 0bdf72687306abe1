import { expect, test } from 'vitest'
import { factsOfOldIds } from './facts-of-old-ids.ts'

test.each([
  { id: 't1.s0a2', facts: { step: 0, attempt: 2 } },
  { id: 't1.s12a0', facts: { step: 12, attempt: 0 } },
  { id: 't1.say', facts: undefined },
  { id: 't1.s0.call-1', facts: undefined },
])('the message id $id tells $facts', ({ id, facts }) => {
  expect(factsOfOldIds.attempt(id)).toEqual(facts)
})

test.each([
  { key: 't1/s-1.turn#0', stage: 'turn', parents: [], within: [] },
  {
    key: 't1/s-1.turn#0/s0.step#1/s0.model#1',
    stage: 'model',
    parents: ['turn', 'step'],
    within: ['t1/s-1.turn#0', 't1/s-1.turn#0/s0.step#1'],
  },
  {
    key: 't1/s-1.turn#0/s0.tools#0/tool:call-1#0',
    stage: 'tool',
    parents: ['turn', 'tools'],
    within: ['t1/s-1.turn#0', 't1/s-1.turn#0/s0.tools#0'],
  },
])('the key $key is of the stage $stage', ({ key, stage, parents, within }) => {
  expect(factsOfOldIds.stage(key)).toBe(stage)
  expect(factsOfOldIds.within(key)).toEqual(within)
  expect(factsOfOldIds.parents(key)).toEqual(parents)
})
