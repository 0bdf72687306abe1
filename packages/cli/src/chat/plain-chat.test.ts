// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a terminal's sequences are looked for
import { expect, test } from 'vitest'
import { asked, chatting } from '../../test/chatting.ts'
import { FakeProvider } from '../../test/fake-provider.ts'
import { run } from '../../test/run-program.ts'
import { program, Terminal } from '../../test/terminal.ts'

const chat = chatting()

test.each([
  { how: '--plain', args: ['--plain'], env: {} },
  { how: 'a dumb terminal', args: [], env: { TERM: 'dumb' } },
])('$how: nothing is redrawn, every state is said in words', async ({ args, env }) => {
  const terminal = await chat.start(args, { env })
  terminal.type('run echo one\r')
  await terminal.see(/Working\.[\s\S]*Question\.\nMay shell run\?[\s\S]*\$ echo one[\s\S]*Type yes for this once/)
  await asked(terminal, 'Type yes for this once')
  terminal.type('yes, and what else\r')
  await terminal.see(/Type yes for this once[\s\S]*Type yes for this once/)
  terminal.type('yes\r')
  await terminal.see(/Tool shell echo one: ok[\s\S]*Assistant: [\s\S]*Done\. Say something, or \/help\./)
  terminal.type('/theme mono\r')
  await terminal.see('The theme is mono.')
  expect(terminal.raw).not.toContain('\x1b')
  expect(terminal.cursor()).toMatchObject({ column: 0, shown: true })
  terminal.type('/quit\r')
  expect(await terminal.exit).toBe(0)
})

test('--plain: a hook that is saved while a turn runs is asked about after it, in words', async () => {
  const hook = (reason: string) =>
    `import { middleware } from 'turnbuckle'\nexport default middleware({ name: 'own', afterTurn() { globalThis.said = '${reason}' } })`
  chat.place.put('hooks/own.ts', hook('one'))
  chat.place.configure({ middleware: [{ use: './hooks/own.ts' }] })
  await run(chat.place, ['hooks', 'trust', '--yes'])
  const terminal = await chat.start(['--plain'])
  terminal.type('wait 500 ms\r')
  await terminal.see('Now: wait')
  chat.place.put('hooks/own.ts', hook('two'))
  await asked(terminal, /Done\.[\s\S]*Question\.\n\.\/hooks\/own\.ts has changed[\s\S]*Type yes or no\./)
  terminal.type('yes\r')
  await terminal.see('./hooks/own.ts was saved, and is in force from the next stage on.')
})

test('--plain: !command runs a command of one’s own, which Ctrl-C ends, and #note goes to AGENTS.md', async () => {
  const terminal = await chat.start(['--plain'])
  terminal.type('!echo hi from $((40+2))\r')
  await terminal.see('hi from 42')
  terminal.type('#use tabs\r')
  await terminal.see('Noted in AGENTS.md: use tabs')
  terminal.type('!sleep 60\r')
  await terminal.see('Now: $ sleep 60.')
  terminal.type('\x03')
  await terminal.see('[exit code SIGTERM]')
  expect(terminal.raw).not.toContain('\x1b')
  terminal.type('/quit\r')
  expect(await terminal.exit).toBe(0)
})

test('--plain: the bell rings when a long turn ends; Ctrl-C stops a turn, and twice with nothing running leaves', async () => {
  chat.place.putHome('config.json', '{ "bellAfterSeconds": 0.1 }')
  const terminal = await chat.start(['--plain'])
  terminal.type('wait 300 ms\r')
  await terminal.see(/I waited[\s\S]*Done\./)
  expect(terminal.raw.split('\x07')).toHaveLength(2)
  terminal.type('wait 60 seconds\r')
  await terminal.see(/Now: wait[\s\S]*Now: wait/)
  terminal.type('\x03')
  await terminal.see(/Tool wait [^\n]*: interrupted[\s\S]*Done\./)
  terminal.type('\x03')
  await terminal.see('Ctrl-C again leaves.')
  terminal.type('what is 1+1\r')
  await terminal.see(/1\+1 is 2\.[\s\S]*Done\./)
  terminal.type('\x03')
  await terminal.see(/Ctrl-C again leaves\.[\s\S]*Ctrl-C again leaves\./)
  terminal.type('\x03')
  expect(await terminal.exit).toBe(0)
})

test('/theme changes the colours of what comes', async () => {
  const terminal = await chat.start()
  terminal.type('/theme light\r')
  await terminal.see('The theme is light.')
  terminal.type('/theme pink\r')
  await terminal.see('There is no theme "pink": dark, light, colour-blind, mono.')
  expect(terminal.raw).toContain('\x1b[34m❯')
})

test('the output of a command is shown while it runs; a code other than 0 is a failure', async () => {
  const terminal = await chat.start()
  chat.place.put('slow.sh', 'echo first\nuntil [ -f go ]; do sleep 0.1; done\necho second\nfalse\n')
  terminal.type('run sh slow.sh\r')
  await asked(terminal, 'May shell run?')
  terminal.type('y')
  await terminal.see(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] shell [^\n]*\n {2}first\n/)
  chat.place.put('go', '')
  await terminal.see(/✗ shell sh slow\.sh[^\n]* m?s\n[\s\S]*second[\s\S]*\[exit code 1\]/)
})

test('in a pipe each note has a line of its own: about another attempt, and a call that nobody could allow', async () => {
  using provider = new FakeProvider()
  const command = `echo hello | '${process.execPath}' '${program}' chat --model compatible/fake`
  using terminal = new Terminal(chat.place, ['-c', command], { shell: '/bin/sh', env: await provider.listen() })
  ;(await provider.next()).refuse(429, 'Slow down.', { 'retry-after': '1' })
  await terminal.see('[compatible/fake answered 429: Slow down. It is tried again in 1 s.]')
  const second = await provider.next()
  second.say('I list it')
  second.call('shell', { command: 'ls' })
  const third = await provider.next()
  third.cut()
  await terminal.see(/\[(The connection to )?compatible\/fake (was cut|cannot be reached)/)
  const last = await provider.next()
  last.say('Then not.')
  last.end()
  await terminal.exit
  expect(terminal.text()).toMatch(/^I list it\n[\s\S]*^\[Nobody is here to ask\.[^\n]*\n[\s\S]*^Then not\.$/m)
})
