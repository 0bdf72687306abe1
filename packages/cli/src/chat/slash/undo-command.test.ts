import { expect, test, vi } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

/** Versions of two files that a turn wrote, one of which was changed since; and of a command that it ran. */
function written(files: readonly object[] = [{}]) {
  const restored: unknown[] = []
  const back = [
    { path: 'new.txt', before: null },
    { path: 'old.txt', before: 'x' },
  ]
  const fileVersions = {
    lastTurn: async () => ({ files, commands: ['rm -r build'] }),
    compare: async () => ({ back, changed: [{ path: 'mine.txt' }] }),
    restore: async (_id: string, which: unknown) => void restored.push(which),
  }
  return { session: chatSession({}, { fileVersions }).session, restored, back }
}

test('/undo asks with what it would do to each file, and what cannot be undone', async () => {
  const { session, restored, back } = written()
  await runSlashCommand(session, '/undo')
  const [question] = session.state.questions
  if (!question) throw new Error('Nothing was asked.')
  expect(question.body).toBe(
    [
      'delete new.txt (it was new)',
      'restore old.txt',
      'leave mine.txt: it was changed since',
      'What these commands did cannot be undone:',
      '  $ rm -r build',
    ].join('\n'),
  )
  session.answer(question, { decision: 'allow' })
  await vi.waitFor(() => expect(lastText(session)).toBe('Undone: new.txt, old.txt'))
  expect(restored).toEqual([back])
})

test('a no changes nothing', async () => {
  const { session, restored } = written()
  await runSlashCommand(session, '/undo')
  const [question] = session.state.questions
  if (question) session.answer(question, { decision: 'deny' })
  expect([session.state.questions, restored]).toEqual([[], []])
})

test('where no file tool wrote anything it says so, with the commands that ran', async () => {
  const { session } = written([])
  await runSlashCommand(session, '/undo')
  expect(lastText(session)).toMatch(/^No file tool wrote anything[\s\S]*rm -r build$/)
})
