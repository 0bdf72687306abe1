import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { standInAnswer, standInModel, standInPerson } from './stand-ins.ts'

const question = (kind: string) => ({ kind, payload: {}, turnId: 't' })

test.each([
  { answers: { permission: 'allow' }, kind: 'permission', answer: { decision: 'allow' } },
  { answers: { permission: { decision: 'deny' } }, kind: 'permission', answer: { decision: 'deny' } },
  { answers: { '*': 'Blue.' }, kind: 'clarification', answer: 'Blue.' },
  { answers: { permission: 'allow' }, kind: 'clarification', answer: undefined },
  { answers: { permission: 'allow' }, kind: 'constructor', answer: undefined },
  { answers: undefined, kind: 'permission', answer: undefined },
])('$answers stands in for a $kind with $answer', ({ answers, kind, answer }) => {
  expect(standInAnswer(answers, question(kind))).toEqual(answer)
})

test('each vote of a quorum is that of another person', () => {
  expect(standInPerson({ quorum: { needed: 2, given: 0 } })).toBe('stand-in 1')
  expect(standInPerson({ quorum: { needed: 2, given: 1 } })).toBe('stand-in 2')
  expect(standInPerson({ name: 'send' })).toBeUndefined()
  expect(standInPerson(undefined)).toBeUndefined()
})

test('a function may look at the question', () => {
  expect(standInAnswer(({ kind }) => (kind === 'permission' ? 'deny' : undefined), question('permission'))).toEqual({
    decision: 'deny',
  })
})

test('a model stands in by the id of the one that is asked', () => {
  const [judge, other] = [scriptedModel(['ACCEPT']), scriptedModel(['REJECT'])]
  const call = (model: string) => ({ model, prompt: {} as never })
  expect(standInModel({ judge, '*': other }, call('judge'))).toBe(judge)
  expect(standInModel({ judge, '*': other }, call('critic'))).toBe(other)
  expect(standInModel({ judge }, call('critic'))).toBeUndefined()
})
