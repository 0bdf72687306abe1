import { expect, test } from 'vitest'
import { tellWords } from './tell-words.ts'

test.each([
  { runs: ['sea', 'two days'], hasCounterpart: true, told: 'Only in this branch: “sea”, “two days”.' },
  { runs: ['.', 'sea', '“'], hasCounterpart: true, told: 'Only in this branch: “sea”.' },
  { runs: ['.'], hasCounterpart: true, told: undefined },
  { runs: [], hasCounterpart: true, told: undefined },
  { runs: ['Let me see.'], hasCounterpart: false, told: 'The other branch has no message like this.' },
])('$runs (with a counterpart: $hasCounterpart) are told as: $told', ({ runs, hasCounterpart, told }) => {
  expect(tellWords(runs, hasCounterpart)).toBe(told)
})
