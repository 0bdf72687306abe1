import type { WireRequest } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { answerOfKey, answerOfText, hasVoted } from './composer-answer.ts'

const asked = (kind: string, payload: unknown = {}): WireRequest => ({
  id: 'r',
  turnId: 't',
  openedAt: 0,
  kind,
  payload,
})

test.each([
  { key: 'a', kind: 'permission', is: { decision: 'allow', scope: 'once' } },
  { key: 'D', kind: 'permission', is: { decision: 'deny', scope: 'once' } },
  { key: 'x', kind: 'permission', is: undefined },
  { key: 'a', kind: 'clarification', is: undefined },
])('the key $key at a $kind answers $is', ({ key, kind, is }) => expect(answerOfKey(asked(kind), key)).toEqual(is))

test('A and Enter is the key A, not the reason of a no', () => {
  expect(answerOfText(asked('permission'), 'a ')).toEqual({ decision: 'allow', scope: 'once' })
})

const one = { question: 'Why?', schema: { type: 'object', properties: { text: { type: 'string' } } } }
const two = { schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } } }
test.each([
  {
    name: 'denies with that reason',
    given: asked('permission'),
    is: { decision: 'deny', scope: 'once', reason: 'no' },
  },
  { name: 'answers a question with one field', given: asked('clarification', one), is: { text: 'no' } },
  { name: 'leaves a question with two fields to its form', given: asked('clarification', two), is: undefined },
  { name: 'leaves a limit to its form', given: asked('continuation'), is: undefined },
])('text $name', ({ given, is }) => expect(answerOfText(given, 'no')).toEqual(is))

const ada = { name: 'ada', role: 'member' } as const
test.each([
  { voted: undefined, me: ada, is: false },
  { voted: ['bob'], me: ada, is: false },
  { voted: ['bob', 'ada'], me: ada, is: true },
  { voted: ['ada'], me: undefined, is: false },
])('of $voted, $me.name has voted: $is', ({ voted, me, is }) => {
  expect(hasVoted({ ...asked('permission'), ...(voted ? { voted } : {}) }, me)).toBe(is)
})
