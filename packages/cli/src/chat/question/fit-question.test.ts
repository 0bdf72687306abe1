import { expect, test } from 'vitest'
import type { Question } from '../transcript/question.ts'
import { fitQuestion, isShownWhole } from './fit-question.ts'

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
  { what: 'all of it', body: 'a\nb', diff: '+x', rows: 11, fits: { body: ['a', 'b'], diff: 1, more: 0 } },
  { what: 'a line that is too wide in two', body: 'a'.repeat(80), rows: 20, fits: { diff: 0, more: 0 } },
  {
    what: 'a part of each',
    body: 'a\nb\nc\nd',
    diff: '+x\n+y\n+z',
    rows: 12,
    fits: { body: ['a', 'b'], diff: 2, more: 3 },
  },
  { what: 'at least a line', body: 'a\nb', diff: '+x', rows: 1, fits: { body: ['a'], diff: 1, more: 1 } },
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
