import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, chatting, deafMs, prompt, running, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { run } from './run-program.ts'
import { program, Terminal } from './terminal.ts'

const chat = chatting()
const exists = (name: string) => existsSync(join(chat.place.project, name))
const grants = (): { pattern: string; scope: string }[] => {
  const file = join(chat.place.home, 'permissions.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

test('what is typed while an approval appears stays in the input, and Enter denies with it', async () => {
  using provider = new FakeProvider()
  const terminal = await chat.start(['--model', 'compatible/fake'], { env: await provider.listen() })
  terminal.type('write it\r')
  const call = await provider.next()
  call.say('I will.')
  await terminal.see('I will.')
  terminal.type('wait, do not')
  await terminal.see('❯ wait, do not')
  call.call('write_file', { path: 'a.txt', content: 'hello' })
  const asked = await terminal.see(/May write_file run\?[\s\S]*Enter no, with this as the reason[\s\S]*❯ wait, do not/)
  expect(asked).not.toContain('y or Enter')
  terminal.type(' do that')
  await terminal.see('❯ wait, do not do that')
  await expect.poll(() => terminal.cursor()).toMatchObject({ column: '❯ wait, do not do that'.length, shown: true })
  terminal.type('\r')
  ;(await provider.next()).end()
  await terminal.see(/⊘ write_file a\.txt[\s\S]*wait, do not do that[\s\S]*Say something/)
  expect(exists('a.txt')).toBe(false)
})

test('what is typed just after an approval appeared is in the input, too, and Enter denies with it', async () => {
  const terminal = await chat.start()
  terminal.type('run touch a.txt\r')
  await terminal.see('May shell run?')
  terminal.type('wait, do not do that')
  await terminal.see('❯ wait, do not do that')
  terminal.type('\r')
  await terminal.see(/⊘ shell touch a\.txt[\s\S]*wait, do not do that[\s\S]*Say something/)
  expect(exists('a.txt')).toBe(false)
})

test('Enter just after a question appeared is ignored; later it allows once, also rm, and rm is asked about again', async () => {
  chat.place.put('build.log', 'x')
  chat.place.put('other.log', 'x')
  const terminal = await chat.start()
  terminal.type('run rm -f build.log\r\r\r\r')
  const question = await asked(terminal, /\$ rm -f build\.log[\s\S]*\? help/)
  expect(question).not.toMatch(/For longer|Y conversation|always/)
  terminal.type('?')
  const help = await terminal.seeOnScreen(/exactly this call[\s\S]*stop the turn/)
  expect(help).not.toMatch(/in this project|always/)
  terminal.type('a')
  await terminal.see('can only be allowed once')
  terminal.type('\r')
  await terminal.see(/✓ shell rm -f build\.log[\s\S]*Say something/)
  expect(exists('build.log')).toBe(false)
  terminal.type('run rm -rf other.log\r')
  await asked(terminal, /\$ rm -rf other\.log[\s\S]*\? help/)
  terminal.type('\x1b')
  await terminal.see(/⊘ shell rm -rf other\.log[\s\S]*Say something/)
  expect(exists('other.log')).toBe(true)
  expect(grants()).toEqual([])
})

test('a question that came up behind the whole transcript hears no key that comes with the one that closes it', async () => {
  using provider = new FakeProvider()
  const terminal = await chat.start(['--model', 'compatible/fake'], { env: await provider.listen() })
  terminal.type('do it\r')
  const call = await provider.next()
  call.say('I will.')
  await terminal.see('I will.')
  terminal.type('\x0f')
  await terminal.seeOnScreen('Esc closes')
  call.call('shell', { command: 'touch a.txt' })
  await terminal.seeOnScreen('a question waits for you · Esc closes')
  await new Promise(resolve => setTimeout(resolve, deafMs))
  terminal.type('q\r')
  await asked(terminal, '$ touch a.txt')
  terminal.type('\x1b')
  ;(await provider.next()).end()
  await terminal.see(/⊘ shell touch a\.txt[\s\S]*Say something/)
  expect(exists('a.txt')).toBe(false)
})

test.each([
  'rm -rf build',
  'echo hi > out.txt',
  'node -e "1"',
  'sh -c "ls"',
  'python -c "1"',
  'sudo ls',
  'git push',
  'ls && rm a',
])('%s can only be allowed once', async command => {
  const terminal = await chat.start()
  terminal.type(`run ${command}\r`)
  const question = await asked(terminal, 'May shell run?')
  expect(question).toMatch(/yes {2}y or Enter once *\n/)
  expect(question).not.toMatch(/For longer|Y conversation|p project|always/)
  terminal.type('p')
  await terminal.see('can only be allowed once')
  terminal.type('\x1b')
  await terminal.see(/⊘ shell[\s\S]*Say something/)
  expect(grants()).toEqual([])
})

test('a yes for longer shows in words what it covers, and only y grants it', async () => {
  const terminal = await chat.start()
  terminal.type('run node --test none.js\r')
  await asked(terminal, 'covers shell: all that begins with “node --test”')
  terminal.type('a')
  await terminal.see(/Allow always, in every project, without asking again: shell:/)
  terminal.type('\r')
  await terminal.see('Enter is no answer here: y grants it')
  expect(grants()).toEqual([])
  terminal.type('\x1b')
  await terminal.see('? help')
  terminal.type('Y')
  await terminal.see('Allow in this conversation')
  terminal.type('y')
  await terminal.see(/[✓✗] shell node --test none\.js[\s\S]*Say something/)
  expect(grants()).toMatchObject([{ pattern: 'shell(node --test *)', scope: 'conversation' }])
})

test('words that begin with the letters of a grant are words: nothing is granted, and Enter denies with them', async () => {
  const terminal = await chat.start()
  terminal.type('run node --test none.js\r')
  await asked(terminal, '? help')
  for (const letter of 'pytest is better') terminal.type(letter)
  await terminal.see('❯ pytest is better')
  terminal.type('\r')
  await terminal.see(/⊘ shell node --test none\.js[\s\S]*pytest is better[\s\S]*Say something/)
  expect(grants()).toEqual([])
})

test('a command is edited in the input, or in the editor that EDITOR names', async () => {
  const editor = join(chat.place.home, 'editor.sh')
  writeFileSync(editor, '#!/bin/sh\nsed -i s/two/three/ "$1"\n', { mode: 0o755 })
  const terminal = await chat.start([], { env: { EDITOR: editor } })
  terminal.type('run echo one\r')
  await asked(terminal, '$ echo one')
  terminal.type('e')
  await terminal.see('❯ echo one')
  terminal.type('\x17two')
  await terminal.see('❯ echo two')
  terminal.type('\x18\x05')
  await terminal.see('❯ echo three')
  terminal.type('\r')
  await terminal.see(/✓ shell echo three[\s\S]*Say something/)
  terminal.type('say two\x18\x05')
  await terminal.see('❯ say three')
})

test('Enter is not yes to a rewind; one Esc is no', async () => {
  const terminal = await chat.start()
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  terminal.type('/rewind\r')
  await asked(terminal, 'Rewind?')
  terminal.type('\r')
  await terminal.see('Enter is no answer here')
  terminal.type('\x1b')
  await terminal.seeOnScreen(/1\+1 is 2\.\s+❯ Say something/)
})

test('delete asks first, and Enter and Esc are no; without a terminal it wants --yes', async () => {
  await run(chat.place, ['run', '--model', 'offline', 'what is 1+1'])
  const [row = ''] = (await run(chat.place, ['list', '--json'])).out.split('\n')
  const { id } = JSON.parse(row) as { id: string }
  const ask = async (key: string) => {
    using terminal = new Terminal(chat.place, ['delete', id])
    await terminal.see(`Delete ${id} (what is 1+1) for good? [y/N]`)
    terminal.type(key)
    return await terminal.exit
  }
  expect(await ask('\r')).toBe(1)
  expect(await ask('\x1b')).toBe(1)
  const refused = await run(chat.place, ['delete', id])
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('add --yes')])
  expect((await run(chat.place, ['list'])).out).toContain('what is 1+1')
  expect(await ask('y\r')).toBe(0)
  expect((await run(chat.place, ['list'])).out).not.toContain('what is 1+1')
})

test('what was typed before a question on the terminal was shown does not answer it', async () => {
  await run(chat.place, ['run', '--model', 'offline', 'what is 1+1'])
  using terminal = new Terminal(chat.place, ['delete', 'conv_'])
  terminal.type('yes\r')
  await terminal.see('for good? [y/N]')
  terminal.type('\r')
  expect(await terminal.exit).toBe(1)
  expect((await run(chat.place, ['list'])).out).toContain('what is 1+1')
})

test('a hook that is saved while a turn runs is asked about after it, every time', async () => {
  const hook = (reason: string) =>
    `import { middleware } from 'turnbuckle'\nexport default middleware({ name: 'own', afterTurn() { globalThis.said = '${reason}' } })`
  chat.place.put('hooks/own.ts', hook('one'))
  chat.place.configure({ middleware: [{ use: './hooks/own.ts' }] })
  await run(chat.place, ['hooks', 'trust', '--yes'])
  const terminal = await chat.start([], { rows: 40 })
  for (const reason of ['two', 'three', 'two']) {
    terminal.type('wait 500 ms\r')
    await terminal.seeOnScreen(running('wait'))
    chat.place.put('hooks/own.ts', hook(reason))
    await terminal.seeOnScreen(/I waited [\s\S]*\.\/hooks\/own\.ts has changed/)
    const question = await asked(terminal, 'has changed')
    expect(question).toMatch(/-\s+globalThis\.said = "one"/)
    expect(question).toContain(`globalThis.said = "${reason}"`)
    terminal.type('\r')
    await terminal.seeOnScreen('Enter is no answer here')
    terminal.type('\x1b')
    await terminal.seeOnScreen(/the old one stays: it is not trusted[\s\S]*Say something/)
    terminal.type('/clear\r')
    await terminal.seeOnScreen(/^\s*❯ Say something/)
  }
})

test.each([
  { how: 'alone', start: () => chat.start() },
  {
    how: 'below a shell, which hands the signal on',
    async start() {
      const shell = chat.open(['--norc', '-i'], { shell: 'bash' })
      shell.type(`${process.execPath} ${program} chat --model offline\r`)
      await shell.see(prompt)
      return shell
    },
  },
])('commands end with the terminal, $how, and going on does not run them again', async ({ start }) => {
  const first = await start()
  first.type('run echo ran >> count.txt && sleep 60 && echo done > late.txt\r')
  await asked(first, 'May shell run?')
  first.type('y')
  await first.see(running('shell'))
  await expect.poll(() => exists('count.txt')).toBe(true)
  first.kill('SIGHUP')
  await first.exit
  const { out } = await run(chat.place, ['list', '--json'])
  expect(out).toContain('conv_')
  const second = chat.open(['--continue'])
  await asked(second, 'The last turn did not end')
  second.type('y')
  await second.see(/the terminal was closed[\s\S]*Say something/)
  expect(readFileSync(join(chat.place.project, 'count.txt'), 'utf8')).toBe('ran\n')
  expect(second.text()).not.toContain('May shell run?')
})

test.each([
  [80, 24],
  [120, 40],
  [40, 20],
  [200, 60],
])('a question fits %i × %i', async (cols, rows) => {
  const terminal = await chat.start([], { cols, rows })
  terminal.type('write notes.txt: buy bread\r')
  const screen = await terminal.seeOnScreen(/notes\.txt[\s\S]*\+buy bread[\s\S]*\? help/)
  expect(screen.split('\n').every(line => line.length <= cols)).toBe(true)
  expect(screen.split('\n').length).toBeLessThanOrEqual(rows)
  expect(screen).not.toContain('"path"')
  expect(terminal.raw).toContain('\x1b[33m')
  terminal.type('\x1b')
  await terminal.see(/⊘ write_file[\s\S]*Say something/)
  expect(terminal.text()).toContain(prompt)
})
