import { textOf } from 'turnbuckle'
import { expect, test } from 'vitest'
import { chatSession, lastText, textsOf } from '../../../test/chat-session.ts'
import { goBefore, goToMessage } from './go-to-message.ts'

test('the head moves to a message, and the path to it is shown', async () => {
  const { session } = chatSession()
  await session.conversation.send('Go')
  await session.conversation.send('On')
  const id = session.conversation.messages[1]?.id ?? ''
  await goToMessage(session, id)
  expect(session.conversation.head).toBe(id)
  expect(textsOf(session)).toEqual(['Go', 'One.'])
})

test('before the first message the transcript is empty, and the conversation is whole', async () => {
  const { session } = chatSession()
  await session.conversation.send('Go')
  await goToMessage(session, undefined)
  expect(session.conversation.messages.map(textOf)).toEqual([])
  expect(session.conversation.tree).toHaveLength(2)
})

test('a log that refuses the move is told as a warning', async () => {
  const { session } = chatSession()
  await session.conversation.send('Go')
  const { conversation } = session
  Object.defineProperty(conversation, 'checkout', { value: () => Promise.reject(new Error('The log is locked.')) })
  await goToMessage(session, conversation.messages[0]?.id)
  expect(lastText(session)).toBe('The log is locked.')
})

test('before a message its words are in the input; the output of a command goes with what is said then', async () => {
  const { session } = chatSession()
  session.tellLater('I ran ls.')
  session.send('Why?')
  await session.idle()
  const [message] = session.conversation.messages
  if (!message) throw new Error('Nothing was said.')
  goBefore(session, { parentId: undefined, message })
  expect(session.state.editor.text).toBe('Why?')
  session.send('Why not?')
  await session.idle()
  expect(session.conversation.messages.map(textOf)).toEqual(['Why not?\n\nI ran ls.', 'Two.'])
})

test.each([
  { name: 'another conversation that is opened', to: 'conversation' },
  { name: 'another message that is gone to', to: 'message' },
] as const)('the output of a command of a message that was gone before is not told to $name', async ({ to }) => {
  const { session } = chatSession()
  session.tellLater('I ran ls.')
  session.send('Why?')
  await session.idle()
  const [message, reply] = session.conversation.messages
  if (!message || !reply) throw new Error('Nothing was said.')
  goBefore(session, { parentId: undefined, message })
  if (to === 'message') await goToMessage(session, reply.id)
  else await session.open(session.composed.agent.conversation())
  session.send('Hello.')
  await session.idle()
  expect(session.conversation.messages.map(textOf).slice(-2)).toEqual(['Hello.', 'Two.'])
})
