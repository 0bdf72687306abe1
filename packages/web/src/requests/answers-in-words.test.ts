import { expect, test } from 'vitest'
import { answersInWords } from './answers-in-words.ts'

const answer = (decision: string, by: string, to?: string) => ({
  requestId: `r-${by}`,
  decision,
  by,
  ...(to === undefined ? {} : { to }),
})

test.each([
  { answers: undefined, says: undefined },
  { answers: [answer('allow', 'me')], says: 'Allowed by you' },
  { answers: [answer('allow', 'ada'), answer('allow', 'bob')], says: 'Allowed by ada, bob' },
  { answers: [answer('allow', 'ada'), answer('deny', 'bob')], says: 'Allowed by ada; Denied by bob' },
  {
    answers: [answer('delegate', 'bob', 'cfo'), answer('allow', 'cfo')],
    says: 'Passed on to cfo by bob; Allowed by cfo',
  },
])('$says', ({ answers, says }) => {
  expect(answersInWords(answers)).toBe(says)
})
