import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, chatting, prompt, running, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { program, Terminal } from './terminal.ts'

const chat = chatting()
const textOf = (name: string) => readFileSync(join(chat.place.project, name), 'utf8')

test('readline keys edit the line, undo and yank included, and the cursor is where one writes', async () => {
  const terminal = await chat.start()
  terminal.type('what is 1+1')
  await terminal.see('❯ what is 1+1')
  terminal.type('\x01')
  await expect.poll(() => terminal.cursor().column).toBe(2)
  terminal.type('\x05\x17')
  await terminal.see(/❯ what is\s*\n/)
  terminal.type('2+2\x1f')
  await terminal.see(/❯ what is\s*\n/)
  terminal.type('\x19')
  await terminal.see('❯ what is 1+1')
  await expect.poll(() => terminal.cursor()).toMatchObject({ column: '❯ what is 1+1'.length, shown: true })
  terminal.type('\r')
  await terminal.see('1+1 is 2.')
})

test('after a paste with tabs and escapes the cursor is behind what is seen of it', async () => {
  const terminal = await chat.start()
  terminal.type('\x1b[200~a\tb \x1b[31mred\x1b]0;title\x07 end\x1b[201~')
  const shown = '❯ a b ␛[31mred␛]0;title␇ end'
  await terminal.see(shown)
  await expect.poll(() => terminal.cursor()).toMatchObject({ column: shown.length, shown: true })
})

test('Ctrl-R searches what was said before, Ctrl-T shows thoughts', async () => {
  const terminal = await chat.start()
  await say(terminal, 'what is 5+5', '5+5 is 10.')
  await say(terminal, 'what is 6+6', '6+6 is 12.')
  terminal.type('\x125+')
  await terminal.see(/❯ what is 5\+5\n.*search history: 5\+/)
  terminal.type('\r')
  await terminal.see(/❯ what is 5\+5\n(?!.*search)/)
  terminal.type('\x15\x14')
  await terminal.see(prompt)
})

test('a long paste is folded, and sent in full; Shift-Enter begins a line where the terminal tells it', async () => {
  const terminal = await chat.start()
  expect(terminal.raw).toContain('\x1b[?u')
  terminal.type('\x1b[?0u')
  await expect.poll(() => terminal.raw).toContain('\x1b[>1u')
  const lines = Array.from({ length: 500 }, (_, i) => `what is ${i}+0`).join('\n')
  terminal.type(`\x1b[200~${lines}\x1b[201~`)
  await terminal.see('❯ [pasted 500 lines]')
  terminal.type('\x1b[13;2uwhat is 7+7')
  await terminal.see(/❯ \[pasted 500 lines\]\n\s+what is 7\+7/)
  terminal.type('\x15\x7f\x7f')
  await terminal.see(prompt)
  terminal.type('what is 1+1\x1b[13;2uwhat is 2+2\x1b[13u')
  await terminal.see(/1\+1 is 2\.[\s\S]*2\+2 is 4\./)
  terminal.type('\x1b[100;5u')
  expect(await terminal.exit).toBe(0)
  expect(terminal.raw).toContain('\x1b[<u')
})

test('@ finds files by letters, and attaches what it finds; a dropped image is attached', async () => {
  chat.place.put('src/deep/settings-reader.ts', 'export const x = 1')
  chat.place.put('pic.png', 'not really')
  const terminal = await chat.start()
  terminal.type('look at @setread')
  await terminal.see(/› src\/deep\/settings-reader\.ts/)
  terminal.type('\r')
  await terminal.see('❯ look at @src/deep/settings-reader.ts')
  terminal.type(`\x1b[200~'${join(chat.place.project, 'pic.png')}'\x1b[201~\r`)
  await terminal.see(/⎘ src\/deep\/settings-reader\.ts\n\s*⎘ pic\.png/)
})

test('!command runs a command of one’s own, #note goes to AGENTS.md', async () => {
  const terminal = await chat.start()
  await say(terminal, '!echo hi from $((40+2)); exit 3', 'hi from 42')
  await terminal.see('[exit code 3]')
  await say(terminal, '# use tabs', 'Noted in AGENTS.md: use tabs')
  expect(textOf('AGENTS.md')).toBe('- use tabs\n')
  terminal.type('!sleep 60\r')
  await terminal.see('● $ sleep 60 (Ctrl-C stops)')
  terminal.type('\x03')
  await terminal.see('[exit code SIGTERM]')
})

test('vim keys are an option', async () => {
  chat.place.putHome('config.json', '{ "vim": true }')
  const terminal = await chat.start()
  terminal.type('what is 1+1\x1b')
  await terminal.see('❯ what is 1+1')
  await expect.poll(() => terminal.cursor().column).toBe('❯ what is 1+'.length)
  await terminal.seeOnScreen(/NORMAL · offline/)
  terminal.type('0cwhow much\x1b')
  await terminal.see('❯ how much is 1+1')
  terminal.type('\r')
  await terminal.see('1+1 is 2.')
})

test('↑ takes back a message that the running turn has not heard, and the turn does not hear it', async () => {
  using provider = new FakeProvider()
  const terminal = await chat.start(['--model', 'compatible/fake'], { env: await provider.listen() })
  terminal.type('hello\r')
  const first = await provider.next()
  first.say('Well')
  await terminal.see('Well')
  terminal.type('use tabs\r')
  await terminal.seeOnScreen(/↳ use tabs \(after the current step\)\n❯ Enter says it now · ↑ takes the last one back/)
  terminal.type('\x1b[A')
  await terminal.seeOnScreen(/^(?![\s\S]*↳)[\s\S]*❯ use tabs\n/)
  terminal.type('\x15use blanks\r')
  await terminal.seeOnScreen('↳ use blanks')
  first.end()
  const second = await provider.next()
  expect(JSON.stringify(second.body.messages)).not.toContain('tabs')
  expect(second.body.messages.at(-1)?.content).toBe('use blanks')
  second.say('Blanks it is.')
  second.end()
  const shown = await terminal.see(/❯ use blanks[\s\S]*Blanks it is\.[\s\S]*Say something/)
  expect(shown).not.toContain('tabs')
})

test('↑ takes back a queued message; Esc hints, the second stops; Ctrl-C stops, and twice leaves', async () => {
  const terminal = await chat.start()
  terminal.type('wait 60 seconds\r')
  await terminal.see(running('wait'))
  terminal.type('what is 3+3\x1b\r')
  await terminal.see('⧗ what is 3+3')
  terminal.type('\x1b[A')
  await terminal.seeOnScreen(/❯ what is 3\+3/)
  expect(terminal.visible()).not.toContain('⧗')
  terminal.type('\x15\x1b')
  await terminal.seeOnScreen('Esc again to stop')
  // Two: on a machine that stalls the first of them may come too late to be the second.
  terminal.type('\x1b\x1b')
  await terminal.see(/◼ wait[\s\S]*Interrupted/)
  terminal.type('wait 61 seconds\r')
  await terminal.see(running('wait .*61'))
  terminal.type('\x03')
  await terminal.see(/◼ wait .*61/)
  await terminal.seeOnScreen(prompt)
  terminal.type('\x03')
  await terminal.seeOnScreen('Ctrl-C again leaves.')
  terminal.type('\x03\x03')
  expect(await terminal.exit).toBe(0)
})

test('the bell rings when a long turn ends', async () => {
  chat.place.putHome('config.json', '{ "bellAfterSeconds": 0.1 }')
  const terminal = await chat.start()
  await say(terminal, 'wait 300 ms', 'I waited')
  await expect.poll(() => terminal.raw.split('\x07').length - 1).toBe(1)
})

test('the bell rings when a long turn asks', async () => {
  chat.place.putHome('config.json', '{ "bellAfterSeconds": 0.1 }')
  const terminal = await chat.start()
  terminal.type('wait 300 ms; run date\r')
  await asked(terminal, 'May shell run?')
  expect(terminal.raw.split('\x07')).toHaveLength(2)
})

test('the bell does not ring for a short turn', async () => {
  chat.place.putHome('config.json', '{ "bellAfterSeconds": 600 }')
  const terminal = await chat.start()
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  expect(terminal.raw).not.toContain('\x07')
})

test('Shift-Tab goes round ask, accept edits and plan; edits are not asked about, commands are', async () => {
  const terminal = await chat.start()
  terminal.type('\x1b[Z')
  await terminal.seeOnScreen(/Mode: accept edits[\s\S]*accept edits · offline/)
  terminal.type('write a.txt: hello\r')
  await terminal.see(/✓ write_file a\.txt[\s\S]*Say something/)
  expect(terminal.text()).not.toContain('May write_file run?')
  terminal.type('run date\r')
  await asked(terminal, 'May shell run?')
  terminal.type('\x1b')
  await terminal.see(/⊘ shell date[\s\S]*Say something/)
  terminal.type('write .git/hooks/pre-commit: evil\r')
  await asked(terminal, 'May write_file run?')
  terminal.type('\x1b')
  await terminal.see(/⊘ write_file[\s\S]*Say something/)
  terminal.type('\x1b[Z')
  await terminal.seeOnScreen(/plan · offline/)
  terminal.type('\x1b[Z')
  await terminal.seeOnScreen(/Mode: ask before/)
  expect(terminal.visible()).not.toMatch(/(plan|accept edits) · offline/)
})

test('Ctrl-V attaches the image in the clipboard', async () => {
  const programs = join(chat.place.home, 'bin')
  mkdirSync(programs)
  writeFileSync(join(programs, 'wl-paste'), "#!/bin/sh\nprintf '\\211PNG image'\n", { mode: 0o755 })
  const { PATH = '' } = process.env
  const terminal = await chat.start([], { env: { PATH: `${programs}:${PATH}` } })
  terminal.type('look \x16')
  await terminal.see(/❯ look @\S+pasted\.png/)
  terminal.type('\r')
  await terminal.see(/⎘ \S+pasted\.png/)
})

test('Ctrl-Z suspends the chat and gives the terminal back; fg brings it back', async () => {
  using shell = new Terminal(chat.place, ['--norc', '-i'], { shell: 'bash' })
  shell.type(`${process.execPath} ${program} chat --model offline\r`)
  await shell.see(prompt)
  shell.type('half a')
  await shell.see('❯ half a')
  shell.type('\x1a')
  await shell.see('Stopped')
  shell.type('echo shell is $((40+2))\r')
  await shell.see('shell is 42')
  shell.type('fg\r')
  await shell.see(/shell is 42[\s\S]*❯ half a/)
  shell.type(' text')
  await shell.see('❯ half a text')
})

test('a turn goes on while its person is in the editor, and nothing is drawn over that', async () => {
  using provider = new FakeProvider()
  const editor = join(chat.place.home, 'editor.sh')
  const go = join(chat.place.home, 'go')
  writeFileSync(
    editor,
    `#!/bin/sh\necho IN THE EDITOR\nuntil [ -f ${go} ]; do sleep 0.05; done\necho edited > "$1"\n`,
    {
      mode: 0o755,
    },
  )
  const env = { ...(await provider.listen()), EDITOR: editor }
  const terminal = await chat.start(['--model', 'compatible/fake'], { env })
  terminal.type('one\r')
  const first = await provider.next()
  terminal.type('two\x1b\r')
  await terminal.see('⧗ two')
  terminal.type('\x18\x05')
  await terminal.see('IN THE EDITOR')
  const { length } = terminal.raw
  first.say('First reply.')
  first.end()
  const second = await provider.next()
  expect(terminal.raw.slice(length)).not.toContain('First reply.')
  writeFileSync(go, '')
  await terminal.see(/First reply\.[\s\S]*❯ edited/)
  second.say('Second reply.')
  second.end()
  await terminal.see(/Second reply\.[\s\S]*❯ edited/)
})
