import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { ReplyText } from './reply-text.ts'

const delta = (messageId: string, text: string, reasoning = false) =>
  ({ type: 'message.delta', messageId, text, ...(reasoning ? { reasoning } : {}) }) as unknown as Event
const added = (id: string, role = 'assistant') =>
  ({
    type: 'message.added',
    messageId: id,
    role,
    message: { id, role, content: [{ type: 'text', text: 'whole' }] },
  }) as unknown as Event
const printed = (events: readonly Event[]) => {
  const reply = new ReplyText()
  return events.map(event => reply.next(event)).join('')
}

test('a reply that was streamed is not printed again when it is recorded', () => {
  expect(printed([delta('m', 'who'), delta('m', 'le'), added('m')])).toBe('whole')
})

test('a reply without deltas is printed when it is recorded', () => {
  expect(printed([delta('m', 'one '), added('m'), added('n')])).toBe('one whole')
})

test('reasoning and messages of the user are not printed', () => {
  expect(printed([delta('m', 'hm', true), added('u', 'user')])).toBe('')
})

test('control sequences are taken out', () => {
  expect(printed([delta('m', 'a\u001b[2Jb')])).toBe('ab')
})
