import type { Decision } from 'turnbuckle'
import { expect, test } from 'vitest'
import { decisionLines } from './decision-lines.ts'

const decision = (more: Partial<Decision>): Decision =>
  ({ won: true, directive: 'stop', by: 'step-limit', at: 'beforeStep', step: 2, ...more }) as Decision

test('a directive that won is ticked, one that lost has a dot', () => {
  const lines = decisionLines([
    decision({ reason: '2 steps' }),
    decision({ won: false, directive: 'skip', callId: 'c1' }),
  ])
  expect(lines).toEqual([
    '✓ stop by step-limit at beforeStep, step 2: 2 steps',
    '· skip by step-limit at beforeStep (c1), step 2',
  ])
})

test('a turn without decisions says so', () => {
  expect(decisionLines([])).toEqual(['Nobody steered: the turn went as the model wanted.'])
})

test('a reason cannot drive the terminal', () => {
  expect(decisionLines([decision({ reason: 'a\n\u001b[31mb' })])[0]).toMatch(/: a b$/)
})
