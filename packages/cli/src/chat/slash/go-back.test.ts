import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from 'turnbuckle'
import { expect, test, vi } from 'vitest'
import { lastText } from '../../../test/chat-session.ts'
import { shell, WritingChat, write } from '../../../test/writing-chat.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { goBack } from './go-back.ts'
import { ownMessages } from './rewind-command.ts'

vi.mock('node:fs', { spy: true })

const threeTurns = () =>
  new WritingChat(
    ['First.', write('a.txt', 'one')],
    ['Second.', shell('true'), write('a.txt', 'two'), write('b.txt', 'new')],
    ['Third.', write('c.txt', 'new')],
  )

/** Asks about going before the message of so many turns ago. */
async function ask(session: ChatSession, turns: number) {
  const node = ownMessages(session)[turns - 1]
  if (!node) throw new Error('There is no such message.')
  await goBack(session, node)
  return session.state.questions[0]
}
const said = ({ conversation }: ChatSession) => conversation.messages.filter(({ role }) => role === 'user').map(textOf)

test('it asks what goes back, with what would be done to each file and the commands that stay', async () => {
  using chat = threeTurns()
  chat.put('a.txt', 'zero')
  const question = await ask(await chat.run(), 2)
  expect(question).toMatchObject({ kind: 'back', title: 'What goes back?' })
  expect(question?.body).toBe(
    [
      'Back to before: Second.',
      '12 messages are left on their branch; nothing is deleted.',
      '3 files can go back too:',
      'restore a.txt',
      'delete b.txt (it was new)',
      'delete c.txt (it was new)',
      'What these commands did cannot be undone:',
      '  $ true',
    ].join('\n'),
  )
})

test.each([
  { back: 'conversation', a: 'two', b: 'new', left: ['First.'], input: 'Second.' },
  { back: 'both', a: 'one', b: undefined, left: ['First.'], input: 'Second.' },
  { back: 'files', a: 'one', b: undefined, left: ['First.', 'Second.', 'Third.'], input: '' },
])('the answer $back moves that, and nothing else', async ({ back, a, b, left, input }) => {
  using chat = threeTurns()
  const session = await chat.run()
  const question = await ask(session, 2)
  if (question) session.answer(question, { back })
  await vi.waitFor(() => expect([chat.read('a.txt'), chat.read('b.txt'), said(session)]).toEqual([a, b, left]))
  await vi.waitFor(() => expect(session.state.editor.text).toBe(input))
  expect(session.conversation.tree).toHaveLength(16)
})

test.each([
  { back: 'both', told: 'Now.' },
  { back: 'files', told: 'Now.\n\nI have undone your last changes to these files: a.txt, b.txt, c.txt' },
])('after $back the model is told of undone files only where it has seen them written', async ({ back, told }) => {
  using chat = threeTurns()
  const session = await chat.run()
  const question = await ask(session, 2)
  if (question) session.answer(question, { back })
  await vi.waitFor(() => expect(lastText(session)).toBe('Undone: a.txt, b.txt, c.txt'))
  await chat.say('Now.')
  expect(said(session).at(-1)).toBe(told)
})

test('a file that somebody changed while the question was open is left, and named', async () => {
  using chat = threeTurns()
  const session = await chat.run()
  const question = await ask(session, 1)
  chat.put('c.txt', 'by hand')
  if (question) session.answer(question, { back: 'both' })
  await vi.waitFor(() => expect(lastText(session)).toBe('Undone: nothing\nLeft as they are, changed since: c.txt'))
  expect(chat.read('c.txt')).toBe('by hand')
})

test('a file that was deleted is left so, and named', async () => {
  using chat = threeTurns()
  chat.put('a.txt', 'zero')
  const session = await chat.run()
  rmSync(join(chat.root, 'a.txt'))
  const question = await ask(session, 2)
  expect(question?.body).toMatch('leave a.txt: it was deleted since')
  if (question) session.answer(question, { back: 'both' })
  await vi.waitFor(() => expect(lastText(session)).toBe('Undone: b.txt, c.txt\nLeft as they are, deleted since: a.txt'))
})

test('where a file cannot be written the others go back, and the conversation stays with it', async () => {
  using chat = threeTurns()
  const session = await chat.run()
  const question = await ask(session, 2)
  vi.mocked(rmSync).mockImplementationOnce(() => {
    throw new Error('EACCES: permission denied')
  })
  if (question) session.answer(question, { back: 'both' })
  await vi.waitFor(() =>
    expect(lastText(session)).toBe(
      [
        'Undone: a.txt, c.txt',
        'Could not put back b.txt: EACCES: permission denied',
        'The conversation stays where it is.',
      ].join('\n'),
    ),
  )
  expect([said(session).length, chat.read('b.txt'), chat.read('c.txt')]).toEqual([3, 'new', undefined])
  await chat.say('Now.')
  expect(said(session).at(-1)).toBe('Now.\n\nI have undone your last changes to these files: a.txt, c.txt')
})

test('while it asks what goes back it does not ask again', async () => {
  using chat = threeTurns()
  const session = await chat.run()
  const [last] = ownMessages(session)
  if (last) await Promise.all([goBack(session, last), goBack(session, last)])
  expect(session.state.questions).toHaveLength(1)
  expect(lastText(session)).toBe('You are being asked something already: answer that first.')
})

test('the question says where turns are too old for their files to go back', async () => {
  using chat = new WritingChat(...Array.from({ length: 51 }, (_, i) => [`Say ${i}.`, write('a.txt', `${i}`)] as const))
  const session = await chat.run()
  const old = await ask(session, 51)
  expect(old?.body).toMatch('What earlier turns wrote is no longer kept: it stays as it is.')
  if (old) session.answer(old, { decision: 'deny' })
  expect((await ask(session, 50))?.body).not.toMatch('no longer kept')
})

test('a no moves nothing', async () => {
  using chat = threeTurns()
  const session = await chat.run()
  const question = await ask(session, 1)
  if (question) session.answer(question, { decision: 'deny' })
  expect([said(session).length, chat.read('c.txt'), session.state.questions]).toEqual([3, 'new', []])
})

test('where no file can go back it goes at once', async () => {
  using chat = new WritingChat(['First.', shell('true')], ['Second.', write('a.txt', 'one')])
  const session = await chat.run()
  chat.put('a.txt', 'by hand')
  await ask(session, 2)
  expect([session.state.questions, session.state.editor.text, said(session)]).toEqual([[], 'First.', []])
})

test('where no file was written it goes before anything more is typed', async () => {
  using chat = new WritingChat(['First.', write('a.txt', 'one')], ['Second.', shell('true')])
  const session = await chat.run()
  const [last] = ownMessages(session)
  const gone = last && goBack(session, last)
  expect(session.state.editor.text).toBe('Second.')
  await gone
})

test('files of a branch that was left go back too: they have one past', async () => {
  using chat = new WritingChat(['First.', write('a.txt', 'one')], ['Again.', write('a.txt', 'two')])
  const { session } = chat
  await chat.say('First.')
  const first = ownMessages(session)[0]
  const question = await ask(session, 1)
  if (question) session.answer(question, { back: 'conversation' })
  await chat.say('Again.')
  expect(chat.read('a.txt')).toBe('two')
  if (first) await goBack(session, first)
  const [again] = session.state.questions
  if (again) session.answer(again, { back: 'both' })
  await vi.waitFor(() => expect(lastText(session)).toBe('Undone: a.txt'))
  expect([chat.read('a.txt'), session.state.editor.text]).toEqual([undefined, 'First.'])
})

test('an answer that comes when another conversation is open moves nothing', async () => {
  using chat = threeTurns()
  const session = await chat.run()
  const question = await ask(session, 1)
  await session.open(session.composed.agent.conversation('conv_b'))
  if (question) session.answer(question, { back: 'both' })
  await vi.waitFor(() => expect(lastText(session)).toMatch('Another conversation is open now'))
  expect([chat.read('c.txt'), session.conversation.id]).toEqual(['new', 'conv_b'])
})
