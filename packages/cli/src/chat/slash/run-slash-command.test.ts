import { expect, test } from 'vitest'
import type { ChatSession } from '../session/chat-session.ts'
import { runSlashCommand } from './run-slash-command.ts'
import { slashTable } from './slash-table.ts'

/**
 * The notices and hints of a chat whose turn is running; anything else is missing, so a command that is not refused fails
 * on it.
 */
async function say(line: string, running: boolean): Promise<readonly string[]> {
  const notices: string[] = []
  const session = {
    isWorking: running,
    composed: { loaded: { root: '/nowhere', home: '/nowhere', user: {}, project: {} } },
    conversation: { tree: [], head: undefined, messages: [] },
    say: (text: string) => notices.push(text),
    set: ({ hint = '' }: { hint?: string }) => notices.push(hint),
  }
  await runSlashCommand(session as unknown as ChatSession, line)
  return notices
}
const refusal = 'Not while it works: Esc Esc stops it.'

test('a name that is not in the table names the nearest one', async () => {
  expect(await say('/tre', false)).toEqual(['There is no /tre. Did you mean "/tree"?'])
})

test('an error of a command becomes a notice', async () => {
  expect(await say('/trace', false)).toEqual(['There was no turn yet.'])
})

test.each(slashTable.filter(row => /always|here/.test(row.refusedWhileRunning)))(
  '$name is refused while a turn runs',
  async ({ name }) => {
    expect(await say(name, true)).toEqual([refusal])
  },
)

test('a command that only moves with an argument lists without one while a turn runs', async () => {
  expect(await say('/branch', true)).toEqual(['Nothing was said yet.'])
  expect(await say('/branch 1', true)).toEqual([refusal])
  expect(await say('/branch 1', false)).toEqual(['There is no branch 1: /branch lists them.'])
})
