import { textOf } from 'turnbuckle'
import { expect, test, vi } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { WritingChat, write } from '../../../test/writing-chat.ts'
import type { ChatSession } from '../session/chat-session.ts'
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
  let changed = ''
  const change = () => {
    changed = 'new.txt'
  }
  const compared = () => ({
    back: back.filter(({ path }) => path !== changed),
    changed: changed ? [{ path: changed }] : [{ path: 'mine.txt' }],
    deleted: [],
  })
  const fileVersions = {
    read: async () => {},
    writingTurns: async () => Array.from({ length: turns }, (_, i) => ({ turnId: '', files: [{ path: `${i}.txt` }] })),
    writtenSince: async (_id: string, count: number) => {
      asked.push(count)
      return { turnIds: [`last ${count}`], files, commands: ['rm -r build'], isShort: false }
    },
    compare: () => compared(),
    restore: async (id: string, { turnIds }: { turnIds: readonly string[] }) => {
      marked.push(id)
      restored.push([compared().back, ...turnIds])
      return { ...compared(), failed: [] }
    },
  }
  return { session: chatSession({}, { fileVersions }).session, restored, marked, asked, back, change }
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
  await vi.waitFor(() => expect(lastText(session)).toMatch('Undone: new.txt, old.txt'))
  expect(restored).toEqual([[back, 'last 1']])
})

test('a file that was changed while the person was asked is left as it is', async () => {
  const { session, restored, back, change } = written()
  await runSlashCommand(session, '/undo')
  const [question] = session.state.questions
  change()
  if (question) session.answer(question, { decision: 'allow' })
  await vi.waitFor(() => expect(lastText(session)).toMatch('Undone: old.txt\nLeft as they are, changed since: new.txt'))
  expect(restored).toEqual([[back.slice(1), 'last 1']])
})

test('a yes that comes when another conversation is open undoes the turns that were asked about', async () => {
  const { session, marked } = written()
  await runSlashCommand(session, '/undo')
  const [question] = session.state.questions
  await session.open(session.composed.agent.conversation('conv_b'))
  if (question) session.answer(question, { decision: 'allow' })
  await vi.waitFor(() => expect(lastText(session)).toMatch('Undone: new.txt, old.txt'))
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
  await vi.waitFor(() => expect(restored).toEqual([[back, 'last 2']]))
})

test.each([
  { line: '/undo 2', count: 2 },
  { line: '/undo 9', count: 3 },
])('$line asks about $count of three turns at once', async ({ line, count }) => {
  const { session, asked } = written([{}], 3)
  await runSlashCommand(session, line)
  expect([asked, session.state.questions.length, session.state.picker]).toEqual([[count], 1, undefined])
})

test.each([
  { how: 'while it asks', turns: 1, before: async (session: ChatSession) => runSlashCommand(session, '/undo') },
  { how: 'at the same time', turns: 1, before: (session: ChatSession) => void runSlashCommand(session, '/undo') },
  {
    how: 'while it asks about one of several',
    turns: 3,
    before: async (session: ChatSession) => runSlashCommand(session, '/undo 1'),
  },
])('a second /undo $how is refused: nothing is undone twice', async ({ turns, before }) => {
  const { session, restored } = written([{}], turns)
  await before(session)
  await runSlashCommand(session, '/undo')
  expect([session.state.questions.length, session.state.picker, lastText(session)]).toEqual([
    1,
    undefined,
    'You are being asked something already: answer that first.',
  ])
  const [question] = session.state.questions
  if (question) session.answer(question, { decision: 'allow' })
  await vi.waitFor(() => expect(restored).toHaveLength(1))
})

test('a number of turns that is none is refused', async () => {
  const { session } = written([{}], 3)
  for (const line of ['/undo 0', '/undo all']) {
    await runSlashCommand(session, line)
    expect([lastText(session), session.state.questions]).toEqual([expect.stringContaining('/undo 3'), []])
  }
})

test('where every file was changed since nothing is asked', async () => {
  using chat = new WritingChat(['First.', write('a.txt', 'one')])
  const session = await chat.run()
  chat.put('a.txt', 'by hand')
  await runSlashCommand(session, '/undo')
  expect([lastText(session), session.state.questions]).toEqual([
    'Nothing can be undone as it is now.\nleave a.txt: it was changed since',
    [],
  ])
})
