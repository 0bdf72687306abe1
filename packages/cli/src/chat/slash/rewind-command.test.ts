import { expect, test, vi } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { WritingChat, write } from '../../../test/writing-chat.ts'
import { runSlashCommand } from './run-slash-command.ts'

/** A chat with two messages and their replies. */
async function chat() {
  const { session } = chatSession()
  for (const text of ['First.', 'Second.']) await session.conversation.send(text)
  session.redraw()
  return session
}

test('/rewind with a number asks first, and goes back by messages of the user', async () => {
  const session = await chat()
  await runSlashCommand(session, '/rewind 2')
  const [question] = session.state.questions
  if (!question) throw new Error('nothing was asked')
  expect(question.body).toBe('Back to before: First.\n4 messages are left on their branch; nothing is deleted.')
  session.answer(question, { decision: 'allow' })
  expect(session.conversation.messages).toEqual([])
  expect(session.state.editor.text).toBe('First.')
})

test.each([
  { line: '/rewind 3', says: 'There are only 2 messages of yours.' },
  { line: '/rewind all', says: '/rewind, or /rewind 3 for three messages' },
  { line: '/rewind 0', says: '/rewind, or /rewind 3 for three messages' },
])('$line says what there is', async ({ line, says }) => {
  const session = await chat()
  await runSlashCommand(session, line)
  expect([lastText(session), session.state.questions]).toEqual([says, []])
})

test('in an empty conversation there is nothing to go back to', async () => {
  const { session } = chatSession()
  await runSlashCommand(session, '/rewind')
  expect(lastText(session)).toBe('Nothing was said yet.')
})

test('/rewind lists the messages, the last one first, with the files that their turns wrote', async () => {
  using writing = new WritingChat(['First.', write('a.txt', 'one')], ['Second.'], ['Third.', write('b.txt', 'two')])
  const session = await writing.run()
  await runSlashCommand(session, '/rewind')
  const { picker } = session.state
  expect(picker?.items).toEqual([
    { id: '1', label: 'Third.', detail: 'b.txt' },
    { id: '2', label: 'Second.', detail: '' },
    { id: '3', label: 'First.', detail: 'a.txt' },
  ])
  picker?.take('2')
  await vi.waitFor(() => expect(session.state.questions[0]?.body).toMatch(/before: Second\.[\s\S]*delete b\.txt/))
  const [question] = session.state.questions
  if (question) session.answer(question, { back: 'both' })
  await vi.waitFor(() => expect([writing.read('a.txt'), writing.read('b.txt')]).toEqual(['one', undefined]))
})

test('a message that is chosen from the list is gone before at once where no file was written since', async () => {
  const session = await chat()
  await runSlashCommand(session, '/rewind')
  session.state.picker?.take('1')
  await vi.waitFor(() => expect(session.state.editor.text).toBe('Second.'))
  expect([session.conversation.messages.length, session.state.questions]).toEqual([2, []])
})
