import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { asked, chatting, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'

const chat = chatting()
const model = ['--model', 'compatible/fake']
/** Told by its words: in a sandbox a command does not know its own number outside. */
const isRunning = (command: string) =>
  spawnSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).stdout.split('\n').includes(command)

test.each([
  [80, 24],
  [120, 40],
  [40, 20],
  [200, 60],
])('a running command shows its last lines, and its time at the right edge, at %i × %i', async (cols, rows) => {
  const terminal = await chat.start([], { cols, rows })
  chat.place.put('slow.sh', 'for i in 1 2 3 4 5 6 7 8 9; do echo line $i; done\nuntil [ -f go ]; do sleep 0.1; done\n')
  terminal.type('run sh slow.sh\r')
  await asked(terminal, 'May shell run?')
  terminal.type('y')
  const live = await terminal.seeOnScreen(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] shell sh slow\.sh[^\n]* s\n {2}line 5\n[\s\S]* {2}line 9\n/)
  expect(live).not.toContain('line 4')
  chat.place.put('go', '')
  const end = await terminal.see(/✓ shell sh slow\.sh[\s\S]*Say something/)
  const [head = ''] = /✓ shell sh slow\.sh.*/.exec(end) ?? []
  expect(head).toMatch(/ +[\d.]+ (ms|s)$/)
  expect(head).toHaveLength(Math.min(100, cols - 1))
  expect(end).toMatch(/… 3 more lines \(Ctrl-O\)\n {2}line 4\n[\s\S]*line 9/)
})

test('a search shows its pattern, and where it looks', async () => {
  using provider = new FakeProvider()
  chat.place.put('src/a.ts', 'const needle = 1')
  const terminal = await chat.start(model, { env: await provider.listen() })
  terminal.type('find it\r')
  ;(await provider.next()).call('search_files', { pattern: 'need.e', path: 'src' })
  ;(await provider.next()).end()
  await terminal.see(/✓ search_files need\.e in src[\s\S]*needle[\s\S]*Say something/)
})

test('the progress of an MCP tool is drawn while it runs; /mcp has the server, its state and its tools', async () => {
  using provider = new FakeProvider()
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
  const all = { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), 'stdio'] }
  chat.place.putHome('config.json', JSON.stringify({ mcpServers: { all } }))
  const terminal = await chat.start(model, { env: await provider.listen() })
  await terminal.see(/^((?!connecting to)[\s\S])*$/)
  await say(terminal, '/mcp', 'trigger-long-running-operation')
  expect(terminal.text()).toContain('● all: echo, ')
  terminal.type('work\r')
  ;(await provider.next()).call('all__trigger-long-running-operation', { duration: 1.2, steps: 3 })
  await asked(terminal, '? help')
  terminal.type('y')
  await terminal.seeOnScreen(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] all__trigger-long[^\n]*\n {2}▓+░+ [12]\/3/)
  ;(await provider.next()).end()
  await terminal.see(/✓ all__trigger-long[\s\S]*Long running operation completed[\s\S]*Say something/)
})

test('Ctrl-B sends a running command to the background: the turn goes on, model and person read what it writes, and it ends with the chat', async () => {
  using provider = new FakeProvider()
  const last = `sleep 1000.${process.pid}`
  chat.place.put('slow.sh', `echo begun\nuntil [ -f go ]; do sleep 0.1; done\necho went\ntouch gone\n${last}\n`)
  const terminal = await chat.start(model, { env: await provider.listen() })
  terminal.type('run it\r')
  ;(await provider.next()).call('shell', { command: 'sh slow.sh' })
  await asked(terminal, 'May shell run?')
  terminal.type('y')
  await terminal.seeOnScreen(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] shell sh slow\.sh[^\n]*\n {2}begun/)
  terminal.type('ab\x02c')
  await terminal.see('❯ acb')
  terminal.type('\x15\x0b\x02')
  await terminal.see(/\$ sh slow\.sh\ngoes on in the background/)
  const told = await provider.next()
  expect(JSON.stringify(told.body.messages.at(-1))).toContain('it goes on as command 1')
  chat.place.put('go', '')
  told.call('command_output', { id: '1' })
  const read = await provider.next()
  expect(JSON.stringify(read.body.messages.at(-1))).toContain('[it runs]')
  read.end()
  await terminal.seeOnScreen(/Say something[\s\S]*1 in background/)
  await expect.poll(() => existsSync(join(chat.place.project, 'gone'))).toBe(true)
  terminal.type('/background 1\r')
  await terminal.see(/begun\s+went/)
  await expect.poll(() => isRunning(last)).toBe(true)
  terminal.type('\x04')
  await terminal.exit
  await expect.poll(() => isRunning(last)).toBe(false)
})
