import { expect, test } from 'vitest'
import { conversation, node } from '../test/conversation.ts'
import { draw } from '../test/draw.ts'
import { Header } from './header.tsx'

const waiting = (id: string, count: number) => ({ id, title: 'Trip', waiting: count, running: false }) as never

test('a blank page has a title and no panels', () => {
  const html = draw(Header, {})
  expect(html).toContain('<h1>New conversation</h1>')
  expect(html).not.toContain('Alt+T')
})

test('an open conversation says what its branch has cost, and offers its panels', () => {
  const open = conversation({ title: 'Trip', nodes: [node('a', null)], head: 'a' })
  const html = draw(Header, {}, { openId: 'c', conversation: open })
  expect(html).toMatch(/<h1>Trip<\/h1>.*This branch: /)
  expect(html).toMatch(/\(Alt\+T\).*\(Alt\+I\)/s)
})

test('questions that wait in other conversations are counted at the menu', () => {
  const html = draw(Header, {}, { openId: 'c', list: [waiting('c', 1), waiting('d', 2)] })
  expect(html).toContain('aria-label="Conversations, 2 waiting for you"')
})

test('a conversation without a title has the word that the list has for it', () => {
  const open = conversation({ title: '', nodes: [node('a', null)], head: 'a' })
  expect(draw(Header, {}, { openId: 'c', conversation: open })).toContain('<h1>Untitled</h1>')
})
