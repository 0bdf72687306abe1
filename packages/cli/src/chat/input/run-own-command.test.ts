import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { runOwnCommand } from './run-own-command.ts'

const chat = () => chatSession({}, { loaded: { root: tmpdir(), home: tmpdir(), user: {} } })

test('the output is shown, and goes to the model with the next message', async () => {
  const { session } = chat()
  await runOwnCommand(session, 'echo one; echo two >&2; exit 3')
  expect(lastText(session)).toBe('$ echo one; echo two >&2; exit 3\none\ntwo\n[exit code 3]')
  session.send('What was that?')
  await session.turn
  expect(JSON.stringify(session.conversation.messages[0])).toContain('I ran this command myself')
})

test('output cannot drive the terminal', async () => {
  const { session } = chat()
  await runOwnCommand(session, `printf '\\033[2Jhidden'`)
  expect(lastText(session)).not.toContain('\x1b')
})

test('it is ended with all that it has started', async () => {
  const { session } = chat()
  const running = runOwnCommand(session, 'sleep 60 & wait')
  expect(session.state.beside).toMatchObject([{ name: '$ sleep 60 & wait' }])
  session.endBeside()
  await running
  expect(lastText(session)).toContain('[exit code SIGTERM]')
  expect(session.state.beside).toEqual([])
})
