import { BackgroundCommands } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { chatSession, lastText } from '../../../test/chat-session.ts'
import { followBackground } from '../background-commands.ts'
import { backgroundCommand } from './background-command.ts'

/** A chat whose turn waits for a command. */
function waiting() {
  const background = new BackgroundCommands()
  const { session } = chatSession({}, { background })
  followBackground(session)
  const heard: string[] = []
  const ended = background.wait({
    command: 'npm run dev',
    output: () => 'listening\n',
    end: () => heard.push('ended'),
    leave: id => heard.push(`left as ${id}`),
  })
  const run = (rest: string) => {
    void backgroundCommand.run(session, rest, [])
    return lastText(session)
  }
  return { session, run, heard, ended }
}

test('it sends what runs to the background, then lists it, shows what it wrote, and ends it', () => {
  const { session, run, heard, ended } = waiting()
  expect(run('')).toMatch(/^\$ npm run dev\ngoes on in the background\. \/background 1 shows/)
  expect(session.state.background).toBe(1)
  expect(run('')).toBe('1  ● runs  $ npm run dev')
  expect(run('1')).toBe('$ npm run dev\nlistening')
  run('end 1')
  ended('SIGKILL')
  expect(heard).toEqual(['left as 1', 'ended'])
  expect(lastText(session)).toMatch(/has ended in the background: exit code SIGKILL/)
  expect(session.state.background).toBe(0)
  expect(run('')).toBe('1  ○ exit code SIGKILL  $ npm run dev')
})

test('without a command it says so', () => {
  const { run, ended } = waiting()
  ended(0)
  expect(run('')).toBe('There is no command in the background.')
  expect(run('3')).toBe('There is no command 3 in the background.')
})
