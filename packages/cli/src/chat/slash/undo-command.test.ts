import { textOf } from 'turnbuckle'
import { expect, test, vi } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'

/** Versions of two files that turns wrote, one of which was changed since; and of a command that ran. */
function written(files: readonly object[] = [{}], turns = 1) {
  const restored: unknown[] = []
  const marked: string[] = []
  const asked: unknown[] = []
  const back = [
    { path: 'new.txt', before: null },
    { path: 'old.txt', before: 'x' },
  ]
  const fileVersions = {
    writingTurns: async () => Array.from({ length: turns }, (_, i) => ({ turnId: '', files: [{ path: `${i}.txt` }] })),
    writtenSince: async (_id: string, count: number) => {
      asked.push(count)
      return { files, commands: ['rm -r build'] }
    },
    compare: () => ({ back, changed: [{ path: 'mine.txt' }] }),
    restore: async (id: string, which: unknown, count: number) => {
      marked.push(id)
      restored.push([which, count])
    },
  }
  return { session: chatSession({}, { fileVersions }).session, restored, marked, asked, back }
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
  expect(restored).toEqual([[back, 1]])
})

test('a yes that comes when another conversation is open undoes the turns that were asked about', async () => {
  const { session, marked } = written()
  await runSlashCommand(session, '/undo')
  const [question] = session.state.questions
  await session.open(session.composed.agent.conversation('conv_b'))
  if (question) session.answer(question, { decision: 'allow' })
  await vi.waitFor(() => expect(lastText(session)).toBe('Undone: new.txt, old.txt'))
  expect(marked).toEqual(['conv_a'])
  session.send('Hello.')
  await session.idle()
  expect(session.conversation.messages.map(textOf)).toEqual(['Hello.', 'One.'])
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

test('where several turns wrote files they are listed, and the chosen one with those after it is asked about', async () => {
  const { session, restored, back } = written([{}], 3)
  await runSlashCommand(session, '/undo')
  const { picker, questions } = session.state
  expect(questions).toEqual([])
  expect(picker?.items.map(({ id, detail }) => [id, detail])).toEqual([
    ['1', '0.txt'],
    ['2', '1.txt'],
    ['3', '2.txt'],
  ])
  picker?.take('2')
  await vi.waitFor(() => expect(session.state.questions[0]?.title).toBe('Undo the files of the last 2 turns?'))
  const [question] = session.state.questions
  if (question) session.answer(question, { decision: 'allow' })
  await vi.waitFor(() => expect(restored).toEqual([[back, 2]]))
})

test.each([
  { line: '/undo 2', count: 2 },
  { line: '/undo 9', count: 3 },
])('$line asks about $count of three turns at once', async ({ line, count }) => {
  const { session, asked } = written([{}], 3)
  await runSlashCommand(session, line)
  expect([asked, session.state.questions.length, session.state.picker]).toEqual([[count], 1, undefined])
})

test('a number of turns that is none is refused', async () => {
  const { session } = written([{}], 3)
  for (const line of ['/undo 0', '/undo all']) {
    await runSlashCommand(session, line)
    expect([lastText(session), session.state.questions]).toEqual([expect.stringContaining('/undo 3'), []])
  }
})
