import { expect, test } from 'vitest'
import { rowsIn } from '../lines/growing-lines.ts'
import type { Question } from '../transcript/question.ts'
import { fitQuestion, isShownWhole } from './fit-question.ts'
import { questionLines } from './question-lines.ts'

const question = (body: string, diff?: string): Question => ({
  id: 'r',
  kind: 'permission',
  title: 'May it run?',
  body,
  scopes: ['once', 'conversation', 'project', 'always'],
  pattern: 'write_file',
  deniable: true,
  ...(diff === undefined ? {} : { diff }),
})

const long = question('one\n'.repeat(40), '+x\n'.repeat(40))

test.each([
  { what: 'all of it', body: 'a\nb', diff: '+x', rows: 11, fits: { body: ['a', 'b'], diff: ['+x'], more: 0 } },
  { what: 'a line that is too wide in two', body: 'a'.repeat(80), rows: 20, fits: { diff: [], more: 0 } },
  {
    what: 'a part of each',
    body: 'a\nb\nc\nd',
    diff: '+x\n+y\n+z',
    rows: 12,
    fits: { body: ['a', 'b'], diff: ['+x', '+y'], more: 3 },
  },
  { what: 'at least a line', body: 'a\nb', diff: '+x', rows: 1, fits: { body: ['a'], diff: ['+x'], more: 1 } },
])('a question shows $what', ({ body, diff, rows, fits }) => {
  expect(fitQuestion(question(body, diff), rows, 80)).toMatchObject(fits)
})

test('on a low screen a question has its keys alone', () => {
  expect(fitQuestion(question('a'), 9, 34).keys).toEqual(['y Y p a · n N · e · ? help'])
  expect(fitQuestion(question('a'), 30, 80).keys).toHaveLength(2)
})

test('a question that may be cut while it is answered is not seen whole', () => {
  expect(isShownWhole(question('a\nb\nc'), 80, 24)).toBe(true)
  expect(isShownWhole(long, 80, 24)).toBe(false)
})

test('a question that a smaller window could not hold is not shown whole, however large the window is', () => {
  const asked = question('src/cart.ts', Array.from({ length: 8 }, (_, i) => `+line ${i}`).join('\n'))
  const { more, height, pattern } = fitQuestion(asked, 50, 99)
  expect({ more: more > 0, height: height <= 13, pattern }).toEqual({ more: true, height: true, pattern: [] })
  expect(isShownWhole(asked, 200, 60)).toBe(false)
  const confirming = { decision: 'allow', scope: 'project' } as const
  expect(fitQuestion({ ...asked, confirming }, 50, 99).pattern.join('')).toContain('without asking again: write_file')
})

test.each([39, 79, 99])('a question in %i columns leaves the smallest window room for the input', width => {
  const asked = question(
    'a long line of the body '.repeat(20),
    '+a long line of the diff that goes on and on\n'.repeat(20),
  )
  for (const more of [{}, { help: true }, { confirming: { decision: 'allow', scope: 'project' } }] as const)
    expect(rowsIn(questionLines(asked, fitQuestion({ ...asked, ...more }, 50, width), width))).toBeLessThanOrEqual(16)
})
