import { expect, test } from 'vitest'
import { byPattern, findAll, holdRun } from './detect.ts'

const number = byPattern({ kind: 'number', pattern: /\d{3}/, longest: 3, chars: /\d/ })
const word = byPattern({ kind: 'word', pattern: /secret\d*/g, longest: 12 })

test('finds come in the order of the text, and what overlaps becomes one', () => {
  expect(findAll('123 secret456', [word, number])).toEqual([
    { kind: 'number', start: 0, end: 3 },
    { kind: 'word', start: 4, end: 13 },
  ])
})

test('finds before the given place are left out', () => {
  expect(findAll('123 456', [number], 3)).toEqual([{ kind: 'number', start: 4, end: 7 }])
})

test('a pattern that matches nothing at all ends', () => {
  expect(byPattern({ kind: 'empty', pattern: /x*/, longest: 1 }).find('abc', 0)).toEqual([])
})

test.each([
  { text: 'call 12', chars: /\d/, at: 5, why: 'the run of characters that may belong to a find' },
  { text: 'call me', chars: /\d/, at: 7, why: 'nothing where the text ends otherwise' },
  { text: 'call me', chars: undefined, at: 4, why: 'the last characters where any may belong' },
])('held back is $why', ({ text, chars, at }) => {
  expect(holdRun(text, 3, chars)).toBe(at)
})
