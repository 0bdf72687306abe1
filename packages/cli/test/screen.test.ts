// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a terminal's sequences are looked for
import { expect, test } from 'vitest'
import { chatting, prompt, say } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { run } from './run-program.ts'

const chat = chatting()
const colour = /\x1b\[3[1-6]m/

test('an ordinary terminal gets colours, and its own cursor stands where one writes', async () => {
  const terminal = await chat.start()
  terminal.type('hello world')
  await terminal.see('❯ hello world')
  const row = terminal
    .visible()
    .split('\n')
    .findIndex(line => line.startsWith('❯ hello world'))
  expect(terminal.cursor()).toEqual({ row, column: '❯ hello world'.length, shown: true })
  terminal.type('\x01')
  await terminal.see('❯ hello world')
  terminal.type('x')
  await terminal.see('❯ xhello world')
  expect(terminal.cursor()).toMatchObject({ row, column: 3, shown: true })
  expect(terminal.raw).toMatch(colour)
})

test.each([{ NO_COLOR: '1' }, { CI: 'true' }, { CI: '0' }])('with %j the cursor is shown all the same', async env => {
  const terminal = await chat.start([], { env })
  terminal.type('abc')
  await terminal.see('❯ abc')
  expect(terminal.cursor()).toMatchObject({ column: 5, shown: true })
  expect(colour.test(terminal.raw)).toBe(!('NO_COLOR' in env))
})

test.each([
  {},
  { NO_COLOR: '1' },
  { TERM: 'xterm-kitty', TERM_PROGRAM: '' },
  { TERM: 'tmux-256color', TERM_PROGRAM: 'tmux', TMUX: '/tmp/tmux-0/default,1,0' },
  { TERM: 'screen', TERM_PROGRAM: '', STY: '1.pts-0.host' },
  { TERM: 'xterm-256color', TERM_PROGRAM: '', SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 22', SSH_TTY: '/dev/pts/1' },
])('with %j the cursor stands where one writes while a turn runs, too: with and without text', async env => {
  using provider = new FakeProvider()
  const terminal = await chat.start(['--model', 'compatible/fake'], { env: { ...env, ...(await provider.listen()) } })
  terminal.type('tell me\r')
  const reply = await provider.next()
  reply.say('Half a')
  const screen = await terminal.seeOnScreen(/Half a[\s\S]*❯ Enter says it now[\s\S]*● writing/)
  const row = screen.split('\n').findIndex(line => line.startsWith('❯ Enter'))
  await expect.poll(() => terminal.cursor()).toEqual({ row, column: 2, shown: true })
  expect(terminal.raw).not.toContain('\x1b[7m')
  terminal.type('wait')
  await terminal.seeOnScreen(/❯ wait/)
  await expect.poll(() => terminal.cursor()).toMatchObject({ column: 6, shown: true })
  reply.end()
})

test('a dumb terminal keeps its own cursor: nothing hides or moves it', async () => {
  using provider = new FakeProvider()
  const env = { TERM: 'dumb', ...(await provider.listen()) }
  const terminal = chat.open(['--model', 'compatible/fake'], { env })
  await terminal.see('Say something')
  terminal.type('tell me\r')
  const reply = await provider.next()
  reply.say('Half a')
  terminal.type('wait')
  await terminal.see('wait')
  expect(terminal.cursor()).toMatchObject({ shown: true })
  expect(terminal.raw).not.toContain('\x1b')
  reply.end()
})

test('the chosen line of the tree is marked without colours, too', async () => {
  const terminal = await chat.start([], { env: { NO_COLOR: '1' } })
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  terminal.type('/tree\r')
  await terminal.see(/›● Assistant: 1\+1 is 2\./)
  terminal.type('k')
  const tree = await terminal.seeOnScreen(/› {2}Tool: ← calculate ok: 2/)
  const row = tree.split('\n').findIndex(line => line.startsWith('›'))
  await expect.poll(() => terminal.cursor()).toEqual({ row, column: 0, shown: true })
})

test('the tree leaves nothing behind on a narrow screen', async () => {
  const terminal = await chat.start([], { cols: 40, rows: 20 })
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  terminal.type('/tree\r')
  await terminal.seeOnScreen(/You: what is 1\+1[\s\S]*Esc closes/)
  terminal.type('\x1b')
  await terminal.seeOnScreen(/❯ Say something/)
  expect(terminal.text()).not.toMatch(/You: |closes/)
})

test('nothing erases the scrollback: not Ctrl-L, not thoughts, not /fork, /clear or a resize', async () => {
  const terminal = await chat.start()
  await say(terminal, 'count to 40', '40')
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  for (const keys of ['\x0c', '\x14']) {
    terminal.type(keys)
    await terminal.see(prompt)
  }
  terminal.type('/fork\r')
  await terminal.see('what you say now makes a branch')
  terminal.type('\x15/clear\r')
  await terminal.seeOnScreen(prompt)
  await terminal.resize(60, 20)
  await say(terminal, 'what is 2+2', '2+2 is 4.')
  expect(terminal.raw).not.toContain('\x1b[3J')
  expect(terminal.raw).not.toContain('\x1b[2J')
  expect(terminal.text()).toMatch(/count to 40[\s\S]*1\+1 is 2\.[\s\S]*2\+2 is 4\./)
})

test('Ctrl-L leaves an empty screen, with all of the transcript once in the scrollback', async () => {
  const terminal = await chat.start()
  await say(terminal, 'what is 1+1', '1+1 is 2.')
  terminal.type('\x0c')
  await terminal.seeOnScreen(/^\s*❯ Say something/)
  await say(terminal, 'what is 2+2', '2+2 is 4.')
  for (const once of ['1+1 is 2.', '2+2 is 4.', '❯ what is 1+1']) expect(terminal.text().split(once)).toHaveLength(2)
})

test.each([
  { from: [80, 24], to: [40, 20] },
  { from: [40, 20], to: [120, 40] },
  { from: [200, 60], to: [80, 24] },
] as const)('a resize from $from to $to leaves nothing twice', async ({ from: [cols, rows], to }) => {
  const terminal = await chat.start([], { cols, rows })
  await say(terminal, 'what is 17*23', '17*23 is 391.')
  terminal.type('a text that is being written while the window changes its size')
  await terminal.see('its size')
  await terminal.resize(to[0], to[1])
  terminal.type('!')
  await terminal.see('its size!')
  const text = terminal.text()
  for (const once of ['17*23 is 391.', 'I will use', 'a text that', 'context '])
    expect(text.split(once)).toHaveLength(2)
})

test('finished blocks are in the scrollback while the reply is still written', async () => {
  using provider = new FakeProvider()
  const env = await provider.listen()
  const terminal = await chat.start(['--model', 'compatible/fake'], { rows: 12, env })
  terminal.type('tell me\r')
  const reply = await provider.next()
  const paragraphs = Array.from({ length: 20 }, (_, i) => `paragraph ${i}`)
  reply.say(paragraphs.join('\n\n'))
  await terminal.see(/paragraph 0\n\nparagraph 1\n[\s\S]*paragraph 19[\s\S]*● writing/)
  reply.say(' ends\n\n```ts\nconst a = 1')
  await terminal.see(/const a = 1[\s\S]*● writing/)
  reply.say('\n```\n')
  reply.end()
  const end = await terminal.see(/paragraph 19 ends\n\n {2}const a = 1\n[\s\S]*Say something/)
  expect(end.match(/paragraph \d+/g)).toEqual(paragraphs)
  expect(terminal.raw).toContain('\x1b[35mconst\x1b[39m')
})

test('after the end the screen has the transcript, and the cursor below it', async () => {
  const terminal = await chat.start()
  await say(terminal, 'what is 17*23', '17*23 is 391.')
  terminal.type('\x04')
  expect(await terminal.exit).toBe(0)
  expect(terminal.text()).toMatch(/17\*23 is 391\.\n\nGo on later: turnbuckle chat --conversation conv_[\w\n-]+$/)
  expect(terminal.cursor()).toMatchObject({ column: 0, shown: true })
})

test('what is pasted, and titles in list, show and the chat, cannot drive the terminal', async () => {
  const terminal = await chat.start()
  terminal.type('\x1b[200~a\x1b]0;owned\x07\x1b[2Jb\x1b[201~')
  await terminal.see('❯ ab')
  terminal.type('\r')
  await terminal.see(/❯ ab[\s\S]*Say something/)
  expect(terminal.raw).not.toContain('owned')
  expect(terminal.raw).not.toContain('\x1b[2J')
  for (const command of [['list'], ['show', 'conv_'], ['tree', 'conv_']]) {
    const { out } = await run(chat.place, command)
    expect(out).toMatch(/ab/)
    expect(out).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  }
})

test('Ctrl-O shows the whole transcript with nothing folded, and closes without a trace', async () => {
  chat.place.put('long.txt', Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n'))
  const terminal = await chat.start()
  await say(terminal, 'read long.txt', 'line 39')
  await terminal.see('more lines (Ctrl-O)')
  const before = terminal.text()
  terminal.type('\x0f')
  await terminal.seeOnScreen(/line 39[\s\S]*Esc closes/)
  terminal.type('\x1b[H')
  await terminal.seeOnScreen(/❯ read long\.txt[\s\S]*line 0\n[\s\S]*line 12\n/)
  terminal.type('\x1b')
  await terminal.seeOnScreen(prompt)
  expect(terminal.text()).toBe(before)
})

test('a conversation of 1,000 messages shows its end; the rest is there when one scrolls', async () => {
  const message = (i: number) => ({
    id: `m${i}`,
    ...(i ? { parent: `m${i - 1}` } : {}),
    turn: `turn_${i >> 1}`,
    at: 1_700_000_000_000 + i,
    message: {
      id: `m${i}`,
      role: i % 2 ? 'assistant' : 'user',
      content: [{ type: 'text', text: `message number ${i}` }],
    },
  })
  const nodes = Array.from({ length: 1000 }, (_, i) => message(i))
  chat.place.put('big.json', JSON.stringify({ format: 'turnbuckle', version: 1, id: 'conv_big', head: 'm999', nodes }))
  await run(chat.place, ['import', 'big.json'])
  const terminal = await chat.start(['--conversation', 'conv_big'])
  const text = await terminal.see(/there is more before this[\s\S]*message number 999/)
  expect(text.split('\n').length).toBeLessThan(60)
  terminal.type('\x0f')
  await terminal.seeOnScreen(/message number 999[\s\S]*Esc closes/)
  terminal.type('g')
  await terminal.seeOnScreen(/message number 0\n/)
  terminal.type('q')
  await say(terminal, 'what is 1+1', '1+1 is 2.')
})
