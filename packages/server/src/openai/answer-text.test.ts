import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { AnswerText } from './answer-text.ts'

const delta = (messageId: string, text: string, offset = 0) =>
  ({ type: 'message.delta', messageId, text, offset }) as Event
const added = (id: string, text: string) =>
  ({
    type: 'message.added',
    messageId: id,
    role: 'assistant',
    message: { id, role: 'assistant', content: [{ type: 'text', text }] },
  }) as unknown as Event

test.each([
  {
    what: 'a blank line stands between replies',
    events: [delta('a', 'One.'), added('a', 'One.'), delta('b', 'Two.'), added('b', 'Two.')],
    told: ['One.', '', '\n\nTwo.', ''],
    exact: 'One.\n\nTwo.',
  },
  {
    what: 'a blank line stands where an attempt was given up, which is no part of the exact text',
    events: [delta('a', 'Ha'), delta('b', 'Whole.'), added('b', 'Whole.')],
    told: ['Ha', '\n\nWhole.', ''],
    exact: 'Whole.',
  },
  {
    what: 'text that was told is not told again; what is missing is',
    events: [delta('a', 'One'), delta('a', 'One, t'), added('a', 'One, two.')],
    told: ['One', ', t', 'wo.'],
    exact: 'One, two.',
  },
  {
    what: 'a reply that a hook has changed is told as it is recorded',
    events: [delta('a', 'Hi.'), added('a', 'HI.')],
    told: ['Hi.', '\n\nHI.'],
    exact: 'HI.',
  },
])('$what', ({ events, told, exact }) => {
  const text = new AnswerText()
  expect(events.map(event => text.add(event))).toEqual(told)
  expect([text.told, text.exact]).toEqual([told.join(''), exact])
})
