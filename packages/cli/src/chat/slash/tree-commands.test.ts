import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { ChatSession } from '../session/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

/** A chat with two messages and their replies. */
async function chat() {
  const agent = createAgent({ model: scriptedModel(['One.', 'Two.', 'Three.']) })
  const conversation = agent.conversation()
  for (const text of ['First.', 'Second.']) await conversation.send(text)
  const composed = { agent, model: { id: '' }, loaded: { root: '', home: '', user: {} }, notices: [] }
  const session = new ChatSession(composed as unknown as ComposedAgent, conversation)
  session.redraw()
  return session
}
const texts = ({ state }: ChatSession) => state.past.map(item => ('text' in item ? item.text : ''))
const last = (session: ChatSession) => texts(session).at(-1)

test('/fork goes before the last message, /branch back to it', async () => {
  const session = await chat()
  await runSlashCommand(session, '/fork')
  expect(texts(session).slice(0, -1)).toEqual(['First.', 'One.'])
  await runSlashCommand(session, '/branch')
  expect(last(session)).toBe('  1  Two.')
  await runSlashCommand(session, '/branch 1')
  expect(texts(session)).toEqual(['First.', 'One.', 'Second.', 'Two.'])
})

test('/rewind asks first, and goes back by messages of the user', async () => {
  const session = await chat()
  await runSlashCommand(session, '/rewind 2')
  const [question] = session.state.questions
  if (!question) throw new Error('nothing was asked')
  expect(question.body).toBe('Back to before: First.\n4 messages are left on their branch; nothing is deleted.')
  session.answer(question, { decision: 'allow' })
  expect(texts(session)).toEqual([])
  expect(session.conversation.messages).toEqual([])
})

test('/rewind by more messages than there are says how many there are', async () => {
  const session = await chat()
  await runSlashCommand(session, '/rewind 3')
  expect(last(session)).toBe('There are only 2 messages of yours.')
})

test('/tree opens at the head', async () => {
  const session = await chat()
  await runSlashCommand(session, '/tree')
  expect(session.state.tree).toMatchObject({ at: 3, lines: [{}, {}, {}, { isHead: true }] })
})
