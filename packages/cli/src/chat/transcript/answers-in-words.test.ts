import { expect, test } from 'vitest'
import { answersInWords } from './answers-in-words.ts'

const answer = (by: string, decision = 'allow', to?: string) => ({
  requestId: 'r',
  decision,
  by,
  ...(to === undefined ? {} : { to }),
})

test.each([
  { title: 'nobody was asked', answers: undefined, says: undefined },
  { title: 'only the person at the terminal', answers: [answer('me')], says: undefined },
  { title: 'somebody else', answers: [answer('ada', 'deny')], says: 'denied by ada' },
  { title: 'a vote', answers: [answer('ada'), answer('me')], says: 'allowed by ada and you' },
  {
    title: 'passed on',
    answers: [answer('me', 'delegate', 'ada'), answer('ada')],
    says: 'passed on to ada by you, allowed by ada',
  },
  { title: 'a word of somebody’s own', answers: [answer('ada', 'later')], says: 'answered by ada' },
  { title: 'a hostile name', answers: [answer('ada\x1b[2J')], says: 'allowed by ada' },
])('who answered, $title', ({ answers, says }) => {
  expect(answersInWords(answers, 'me')).toBe(says)
})
