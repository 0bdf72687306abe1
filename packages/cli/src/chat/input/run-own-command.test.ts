import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test('any number of commands at once have one listener to the end of the program', async () => {
  const { session } = chat()
  const before = process.listenerCount('exit')
  const running = Array.from({ length: 12 }, () => runOwnCommand(session, 'sleep 60'))
  expect(process.listenerCount('exit')).toBe(before + 1)
  session.endBeside()
  await Promise.all(running)
  expect(process.listenerCount('exit')).toBe(before)
})

test('one that does not end when it is asked to ends the second time', async () => {
  const { session } = chat()
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const running = runOwnCommand(session, `trap "" TERM; touch ${folder}/begun; until false; do sleep 0.05; done`)
  await expect.poll(() => existsSync(join(folder, 'begun'))).toBe(true)
  session.endBeside()
  session.endBeside()
  await running
  expect(lastText(session)).toContain('[exit code SIGKILL]')
})
