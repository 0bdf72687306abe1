import { textOf } from 'turnbuckle'
import { expect, test } from 'vitest'
import { chatSession } from '../../../test/chat-session.ts'
import type { OwnCommand } from './own-commands.ts'
import { sayOwnCommand } from './say-own-command.ts'

const item = { kind: 'command', name: '/review', hash: 'abc' }
const command = { name: '/review', does: 'reviews', prompt: 'Review $ARGUMENTS.', item } as unknown as OwnCommand

const said: unknown[] = []
const claudeHooks = { sayCommand: (_id: string, name: string) => said.push(name) }

/** A chat whose trust list has the given items. */
function chat(...trusted: unknown[]) {
  const trust = {
    has: (_root: string, one: unknown) => trusted.includes(one),
    add: (_root: string, more: unknown[]) => trusted.push(...more),
  }
  return {
    trusted,
    ...chatSession({}, { claudeHooks, loaded: { root: '/nowhere', home: '/nowhere', user: {}, trust } }),
  }
}

test('a command of the user’s own is said at once', async () => {
  const { session } = chat()
  const { item: _, ...own } = command
  sayOwnCommand(session, own as OwnCommand, 'the parser')
  await session.turn
  expect(session.conversation.messages.map(textOf)[0]).toContain('the parser')
})

test('hooks in the head of a command of Claude Code hear that it is said', async () => {
  const { session } = chat()
  const { item: _, ...own } = command
  sayOwnCommand(session, { ...own, claudeName: 'review' }, 'it')
  await session.turn
  expect(said).toEqual(['review'])
})

test('one of the project is shown and trusted first, exactly as it is', async () => {
  const { session, trusted } = chat()
  sayOwnCommand(session, command, 'it')
  const [question] = session.state.questions
  if (!question) throw new Error('Nothing was asked.')
  expect(question.body).toContain('Review $ARGUMENTS.')
  expect(session.turn).toBeUndefined()
  session.answer(question, { decision: 'allow' })
  await session.turn
  expect(trusted).toEqual([item])
  expect(session.conversation.messages).toHaveLength(2)
})

test('a no trusts nothing and says nothing', () => {
  const { session, trusted } = chat()
  sayOwnCommand(session, command, 'it')
  const [question] = session.state.questions
  if (question) session.answer(question, { decision: 'deny' })
  expect([trusted, session.turn]).toEqual([[], undefined])
})
