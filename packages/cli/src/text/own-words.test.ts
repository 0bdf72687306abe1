import { expect, test } from 'vitest'
import { besides, ownWords, toldBesides } from './own-words.ts'

test('words are what the person wrote, without the texts that were told besides', () => {
  const text = (text: string) => ({ type: 'text', text }) as const
  const image = { type: 'file', mediaType: 'image/png', data: '' } as const
  const message = { content: [image, text('Why'), text('?'), besides('I ran ls.'), besides('I ran df.')] }
  expect([ownWords(message), toldBesides(message)]).toEqual(['Why?', ['I ran ls.', 'I ran df.']])
  expect([ownWords({ content: [image] }), toldBesides({ content: [image] })]).toEqual(['', []])
})
