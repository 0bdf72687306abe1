import { expect, test } from 'vitest'
import { userMessage } from './user-message.ts'

const file = { mediaType: 'image/png', data: 'AQI=' }

test.each([
  { what: 'text', turn: { text: 'hi' }, is: [{ type: 'text', text: 'hi' }] },
  {
    what: 'text and file',
    turn: { text: 'hi', attachments: [file] },
    is: [
      { type: 'text', text: 'hi' },
      { type: 'file', ...file },
    ],
  },
  { what: 'a file alone', turn: { text: '', attachments: [file] }, is: [{ type: 'file', ...file }] },
])('a turn of $what', ({ turn, is }) => {
  expect(userMessage(turn)).toEqual({ role: 'user', content: is })
})
