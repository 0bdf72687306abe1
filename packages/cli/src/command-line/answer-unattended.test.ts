import type { Turn } from 'turnbuckle'
import { expect, test } from 'vitest'
import { answerUnattended, type Unattended } from './answer-unattended.ts'

function answer(kind: string, decision: Unattended, ended = false, more: object = {}): unknown[] {
  const told: unknown[] = []
  const turn = {
    ended,
    requests: [{ id: 'r' }],
    answer: (_id: string, given: unknown) => told.push(given),
    expire: () => told.push('expired'),
  } as unknown as Turn
  answerUnattended(turn, { type: 'request.opened', requestId: 'r', kind, ...more } as never, decision)
  return told
}

test.each([
  { kind: 'permission', decision: 'allow', told: { decision: 'allow', scope: 'once' } },
  { kind: 'continuation', decision: 'deny', told: expect.objectContaining({ decision: 'deny' }) },
  {
    kind: 'permission',
    decision: 'deny',
    told: { decision: 'deny', reason: expect.stringMatching(/^Denied: .*--deny/) },
  },
  {
    kind: 'permission',
    decision: 'nobody',
    told: { decision: 'deny', reason: expect.stringContaining('Nobody is here') },
  },
  { kind: 'outcome', decision: 'allow', told: { outcome: 'stop' } },
  { kind: 'clarification', decision: 'allow', told: 'expired' },
] as const)('a $kind request gets $told with --$decision', ({ kind, decision, told }) => {
  expect(answer(kind, decision)).toEqual([told])
})

test('a flag is not the votes of several people, of whom one no is enough', () => {
  expect(answer('permission', 'allow', false, { voted: [] })).toEqual(['expired'])
  expect(answer('permission', 'deny', false, { voted: [] })).toEqual([expect.objectContaining({ decision: 'deny' })])
})

test('a turn that has ended is not answered', () => {
  expect(answer('permission', 'allow', true)).toEqual([])
})
