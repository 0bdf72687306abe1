import { expect, test } from 'vitest'
import { LaterTexts } from './later-texts.ts'

test('a text is told once, after those of a message that is said again', () => {
  const later = new LaterTexts()
  later.tell('I ran ls.')
  later.tell('I ran ls.')
  later.tellAgain(['I ran pwd.'])
  expect(later.all).toEqual(['I ran pwd.', 'I ran ls.'])
})

test('only the texts of the message that is said again last are told again', () => {
  const later = new LaterTexts()
  later.tell('I ran ls.')
  later.tellAgain(['I ran pwd.'])
  later.tellAgain([])
  expect(later.all).toEqual(['I ran ls.'])
})

test('texts of a message that was taken back come first, and nothing is left when the next message has them', () => {
  const later = new LaterTexts()
  later.tell('Two.')
  later.giveBack(['One.'])
  expect(later.all).toEqual(['One.', 'Two.'])
  later.clear()
  expect(later.all).toEqual([])
})
