import type { Conversation } from 'turnbuckle'
import { expect, test } from 'vitest'
import type { Question } from '../transcript/question.ts'
import type { Answer } from './chat-questions.ts'
import { offerToGoOn } from './offer-to-go-on.ts'

/** What a chat hears when a turn that began at 5 is offered, and the last message is of this turn and time. */
function offered(last: { turnId: string; createdAt: number }, given: unknown) {
  const heard: string[] = []
  const conversation = { tree: [last], told: () => [{ at: 5 }] } as unknown as Conversation
  const ask = (_: Omit<Question, 'id'>, answer: Answer) => {
    answer(given)
    return () => {}
  }
  const session = {
    conversation,
    ask,
    say: (text: string) => void heard.push(text),
    resume: () => void heard.push('on'),
  }
  offerToGoOn(session, 'turn_1')
  return heard
}
const yes = { decision: 'allow' }

test.each([
  { name: 'a yes goes on with the turn', turnId: 'turn_1', given: yes, hears: 'on' },
  { name: 'a no leaves it', turnId: 'turn_1', given: {}, hears: 'Left as it is. /continue goes on with it.' },
  {
    name: 'a turn that another came after is only named',
    turnId: 'turn_2',
    given: yes,
    hears: 'An earlier turn did not end. /continue goes on with it.',
  },
])('$name', ({ turnId, given, hears }) => {
  expect(offered({ turnId, createdAt: 9 }, given)).toEqual([hears])
})
