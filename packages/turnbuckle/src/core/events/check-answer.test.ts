import { describe, expect, test } from 'vitest'
import { checkAnswer, mayAnswer, problemByAsker } from './check-answer.ts'
import type { Request } from './request.ts'

const check = (
  request: Partial<Request>,
  answer: unknown,
  options: { by?: string; owner?: string; at?: number } = {},
) =>
  checkAnswer(
    { id: 'r', turnId: 't', openedAt: 0, kind: 'permission', payload: {}, ...request },
    { answer, at: 0, ...options },
  )
const code = (act: () => void): string => {
  try {
    act()
    return 'taken'
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('an answer to a permission', () => {
  test.each([
    { decision: 'allow' },
    { decision: 'deny', reason: 'Not today.' },
    { decision: 'allow', scope: 'conversation', pattern: 'git *', expires: 1, uses: 2, args: [] },
  ])('may be %j', answer => {
    expect(() => check({}, answer)).not.toThrow()
  })

  test.each([
    'allow',
    null,
    undefined,
    { decision: 'yes' },
    { decision: 'allow', scope: 'never' },
    { decision: 'allow', reason: { a: 1 } },
    { decision: 'allow', by: 'bob' },
    { decision: 'allow', colour: 'red' },
    { decision: 'allow', uses: 0 },
    { decision: 'allow', expires: '5' },
  ])('is refused as %j', answer => {
    expect(code(() => check({}, answer))).toBe('request.invalid')
  })

  test('names a pattern that the person was shown', () => {
    const payload = { patterns: ['git *'] }
    expect(code(() => check({ payload }, { decision: 'allow', pattern: 'git *' }))).toBe('taken')
    expect(code(() => check({ payload }, { decision: 'allow', pattern: '*' }))).toBe('request.invalid')
  })
})

describe('an answer to a question of another kind', () => {
  test('may be anything but nothing, and is not signed', () => {
    expect(code(() => check({ kind: 'colour' }, 'red'))).toBe('taken')
    expect(code(() => check({ kind: 'colour' }, null))).toBe('taken')
    expect(code(() => check({ kind: 'colour' }, undefined))).toBe('request.invalid')
    expect(code(() => check({ kind: 'colour' }, { colour: 'red', by: 'bob' }))).toBe('request.invalid')
  })

  test.each([
    { name: 'its own', request: { schema: { type: 'number' } }, good: 5, bad: 'five' },
    {
      name: "the form's",
      request: { payload: { schema: { properties: { age: { type: 'integer' } }, required: ['age'] } } },
      good: { age: 5 },
      bad: {},
    },
    {
      name: 'none for a form without fields',
      request: { payload: { schema: { type: 'string' } } },
      good: { text: 'x' },
      bad: undefined,
    },
  ])('fits its schema: $name', ({ request, good, bad }) => {
    expect(code(() => check({ kind: 'colour', ...request }, good))).toBe('taken')
    expect(code(() => check({ kind: 'colour', ...request }, bad))).toBe('request.invalid')
  })
})

test('an answer at the deadline is late', () => {
  expect(code(() => check({ deadline: 10 }, { decision: 'allow' }, { at: 9 }))).toBe('taken')
  expect(code(() => check({ deadline: 10 }, { decision: 'allow' }, { at: 10 }))).toBe('request.expired')
})

test.each([
  { who: 'the owner', by: 'alice', owner: 'alice', to: undefined, may: true },
  { who: 'the owner of what another is asked', by: 'alice', owner: 'alice', to: ['bob'], may: true },
  { who: 'one who is named', by: 'bob', owner: 'alice', to: ['bob'], may: true },
  { who: 'one who is not', by: 'eve', owner: 'alice', to: ['bob'], may: false },
  { who: 'a stranger', by: 'eve', owner: 'alice', to: undefined, may: false },
  { who: 'anybody, where everybody is named', by: 'eve', owner: 'alice', to: ['*'], may: true },
  { who: 'code that does not say who', by: undefined, owner: 'alice', to: ['bob'], may: true },
  { who: 'anybody, without an owner', by: 'eve', owner: undefined, to: undefined, may: true },
  { who: 'one who is not named, without an owner', by: 'eve', owner: undefined, to: ['bob'], may: false },
])('who may answer: $who: $may', ({ may, to, ...options }) => {
  expect(mayAnswer({ to }, options)).toBe(may)
})

test('a vote has an author, and each has one vote', () => {
  const vote = { to: ['*'], voted: ['alice'] }
  expect(code(() => check(vote, { decision: 'allow' }))).toBe('request.invalid')
  expect(code(() => check(vote, { decision: 'allow' }, { by: 'alice' }))).toBe('request.invalid')
  expect(code(() => check(vote, { decision: 'allow' }, { by: 'bob' }))).toBe('taken')
})

test('a problem of the asker is in its own words', () => {
  const red = (answer: unknown) => {
    if (answer !== 'red') throw new Error('Only red.')
  }
  expect(problemByAsker('red', red)).toBeUndefined()
  expect(problemByAsker('blue', red)).toBe('Only red.')
})
