import { expect, test } from 'vitest'
import { chatSession, lastText, textsOf } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

/** A chat with two messages and their replies. */
async function chat() {
  const { session } = chatSession()
  for (const text of ['First.', 'Second.']) await session.conversation.send(text)
  session.redraw()
  return session
}

test('/fork goes before the last message, /branch back to it', async () => {
  const session = await chat()
  await runSlashCommand(session, '/fork')
  expect(textsOf(session).slice(0, -1)).toEqual(['First.', 'One.'])
  await runSlashCommand(session, '/branch')
  expect(lastText(session)).toBe('  1  Two.')
  await runSlashCommand(session, '/branch 1')
  expect(textsOf(session)).toEqual(['First.', 'One.', 'Second.', 'Two.'])
})

test('/tree opens at the head', async () => {
  const session = await chat()
  await runSlashCommand(session, '/tree')
  expect(session.state.tree).toMatchObject({ at: 3, lines: [{}, {}, {}, { isHead: true }] })
})
