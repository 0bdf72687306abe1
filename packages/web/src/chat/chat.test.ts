import { expect, test } from 'vitest'
import { conversation, node } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { Chat } from './chat.tsx'

test.each([
  { name: 'nothing is open', state: {}, says: 'What shall we turn to?' },
  { name: 'it is being read', state: { openId: 'c' }, says: 'Loading the conversation …' },
  { name: 'it cannot be read', state: { openId: 'c', problem: 'Gone.' }, says: 'This conversation cannot be shown' },
  { name: 'it is empty', state: { openId: 'c', conversation: conversation() }, says: 'Nothing here yet.' },
])('where $name the page says: $says', ({ state, says }) => {
  expect(draw(Chat, {}, state)).toContain(says)
})

test('a conversation is a log with its messages, and the message box is below in every case', () => {
  const open = conversation({ nodes: [node('a', null, { text: 'hello' })], head: 'a' })
  const html = draw(Chat, {}, { openId: 'c', conversation: open })
  expect(html).toMatch(/role="log" aria-label="Conversation".*hello.*id="composer"/s)
  expect(draw(Chat, {}, { openId: 'c', problem: 'Gone.' })).toContain('id="composer"')
})
