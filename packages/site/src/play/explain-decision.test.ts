import type { Decision } from 'turnbuckle'
import { expect, test } from 'vitest'
import { explainDecision } from './explain-decision.ts'

const decision = (given: Partial<Decision>): Decision => ({
  directive: 'finish',
  by: 'content',
  at: 'afterModel',
  step: 0,
  won: false,
  ...given,
})

test('a directive that lost names the one that outranks it in its step', () => {
  const lost = decision({})
  const won = decision({ directive: 'again', by: 'eager', won: true })
  expect(explainDecision(lost, [lost, won])).toMatch(/again of eager ranks higher/)
  expect(explainDecision(lost, [lost, { ...won, step: 1 }])).toMatch(/not needed/)
})

test('a directive that won says its effect', () => {
  expect(explainDecision(decision({ directive: 'rewind', won: true }), [])).toMatch(/new branch/)
})

test('a directive whose step has not closed is neither won nor lost', () => {
  expect(explainDecision(decision({}), [], true)).toMatch(/when the step closes/)
})
