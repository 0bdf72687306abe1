import type { Message } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { attachmentsOf, callsOf, textOf } from './message-parts.ts'

const message: Message = {
  id: 'm',
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'hidden' },
    { type: 'text', text: 'one ' },
    { type: 'call', id: 'c1', name: 'add', args: {} },
    { type: 'text', text: 'two' },
    { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
    { type: 'file', mediaType: 'text/plain', data: 'BBBB' },
    { type: 'file', mediaType: 'text/plain', data: 'turnbuckle-file:f1', name: 'kept.txt' },
  ],
}

test('the text of a message is that of its text parts', () => expect(textOf(message)).toBe('one two'))

test('the calls of a message are in their order', () => {
  expect(callsOf(message).map(({ id }) => id)).toEqual(['c1'])
})

test('the files of a message can be sent again; a name that is missing stays missing', () => {
  expect(attachmentsOf(message)).toStrictEqual([
    { mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
    { mediaType: 'text/plain', data: 'BBBB' },
    { id: 'f1' },
  ])
})
