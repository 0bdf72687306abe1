import { expect, test } from 'vitest'
import { auditedAnswer, isLasting } from './audited-answer.ts'

const who = { by: 'ada', conversationId: 'c' }
const request = (more: object = {}) =>
  ({
    id: 'r',
    kind: 'permission',
    payload: { name: 'shell', args: { command: 'secret' }, pattern: 'shell(ls *)' },
    ...more,
  }) as never

test.each([
  { answer: { decision: 'allow' }, entry: { act: 'answered', what: 'shell', decision: 'allow' } },
  {
    answer: { decision: 'allow', scope: 'always' },
    entry: { act: 'granted', what: 'shell', scope: 'always', pattern: 'shell(ls *)' },
  },
])('an answer $answer is $entry.act', ({ answer, entry }) => {
  expect(auditedAnswer(request(), answer, who)).toEqual({ ...who, requestId: 'r', decision: 'allow', ...entry })
})

test('nothing of the call’s arguments is in the list', () => {
  expect(JSON.stringify(auditedAnswer(request(), { decision: 'deny', reason: 'secret' }, who))).not.toContain('secret')
})

test('an answer that is one of several is a vote', () => {
  expect(auditedAnswer(request({ voted: ['bob'] }), { decision: 'allow' }, who)).toMatchObject({ act: 'voted' })
})

test.each([
  { scope: 'once', lasting: false },
  { scope: 'conversation', lasting: false },
  { scope: 'project', lasting: true },
  { scope: 'always', lasting: true },
])('a permission for $scope outlasts its conversation: $lasting', ({ scope, lasting }) => {
  expect(isLasting('permission', { decision: 'allow', scope })).toBe(lasting)
})
