import { execFileSync, spawnSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { asked, chatting } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import { program, type Size, type Terminal } from './terminal.ts'

// tmux tells of a new size up to a quarter of a second after it has drawn it: frames are sent meanwhile.

const chat = chatting()
const isThere = spawnSync('tmux', ['-V']).status === 0
let sockets: string[] = []
let started = 0
afterEach(() => {
  for (const socket of sockets) spawnSync('tmux', ['-L', socket, 'kill-server'])
  sockets = []
})

interface InTmux {
  readonly terminal: Terminal
  /** Its window with the whole scrollback, wrapped lines as one. */
  all(): string
  /** The cursor of the window: `column,row,1` where it is shown. */
  cursor(): string
}

/** The chat in a tmux of its own, which is in a pseudo-terminal. */
async function startInTmux({ env, cols, rows }: Size): Promise<InTmux> {
  const socket = `turnbuckle-${process.pid}-${started++}`
  sockets.push(socket)
  const command = `'${process.execPath}' '${program}' chat --model compatible/fake`
  const own = ['-u', '-L', socket, '-f', '/dev/null']
  const terminal = chat.open([...own, 'new-session', command, ';', 'set', 'status', 'off'], {
    shell: 'tmux',
    ...(env ? { env } : {}),
    ...(cols && rows ? { cols, rows } : {}),
  })
  await terminal.see('Say something')
  const ask = (...words: readonly string[]) => execFileSync('tmux', [...own, ...words], { encoding: 'utf8' })
  return {
    terminal,
    all: () => ask('capture-pane', '-p', '-J', '-S', '-').trimEnd(),
    cursor: () => ask('display-message', '-p', '#{cursor_x},#{cursor_y},#{cursor_flag}').trim(),
  }
}

const sizes = [
  [40, 20],
  [80, 24],
  [200, 60],
  [61, 30],
  [40, 20],
  [120, 40],
] as const
const count = (text: string, word: string) => text.split(new RegExp(`\\b${word}\\b`)).length - 1

test.runIf(isThere).each([
  { block: 'paragraphs', line: (name: string) => `A paragraph about ${name} has some words.\n\n` },
  { block: 'a long paragraph', line: (name: string) => `The sentence about ${name} has **some** words. ` },
  { block: 'code', line: (name: string) => `    const ${name} = 'some words' // and more words, so that it is long\n` },
])(
  'inside of tmux nothing is doubled or lost when one writes and the window changes while $block stream',
  async ({ line }) => {
    using provider = new FakeProvider()
    const { terminal, all, cursor } = await startInTmux({ env: await provider.listen(), cols: 120, rows: 40 })
    terminal.type('tell me\r')
    const reply = await provider.next()
    const names = Array.from({ length: 60 }, (_, i) => `name${i}x`)
    const typed: string[] = []
    const say = (from: number, to: number) => {
      for (const name of names.slice(from, to)) reply.say(line(name))
    }
    say(0, 6)
    await terminal.see(/name5x[\s\S]*● writing/)
    expect(cursor()).toMatch(/^2,\d+,1$/)
    for (const [i, [cols, rows]] of sizes.entries()) {
      await terminal.resize(cols, rows)
      say(6 + i * 9, 10 + i * 9)
      typed.push(`typed${i}x`)
      terminal.type(`typed${i}x `)
      await terminal.see(`typed${i}x`)
      say(10 + i * 9, 15 + i * 9)
    }
    reply.end()
    await expect.poll(all, { timeout: 30_000 }).toMatch(/name59x[\s\S]*\n❯ typed0x [^●]*$/)
    await expect.poll(() => [...names, ...typed].filter(name => count(all(), name) !== 1)).toEqual([])
  },
)

test.runIf(isThere).each([
  { call: 'a short call', content: 'hello\n', cols: 120, rows: 40 },
  { call: 'a short call', content: 'hello\n', cols: 80, rows: 24 },
  {
    call: 'a call that is higher than the window',
    content: 'a line of many words, as code has it\n'.repeat(50),
    cols: 200,
    rows: 60,
  },
])(
  'inside of tmux a question about $call at $cols × $rows leaves nothing behind when the window becomes narrower',
  async ({ content, cols, rows }) => {
    using provider = new FakeProvider()
    const { terminal, all, cursor } = await startInTmux({ env: await provider.listen(), cols, rows })
    terminal.type('write\r')
    const call = await provider.next()
    call.call('write_file', { path: 'a.txt', content })
    await asked(terminal, /╰─/)
    for (const [cols, rows] of [
      [60, 30],
      [40, 20],
      [80, 24],
    ] as const) {
      await terminal.resize(cols, rows)
      await expect.poll(() => [all().split('╭').length, all().split('╰').length]).toEqual([2, 2])
      expect(cursor()).toMatch(/,1$/)
    }
    terminal.type('\x1b')
    ;(await provider.next()).end()
    await expect.poll(all).toMatch(/⊘ write_file[\s\S]*Say something/)
    expect(all()).not.toMatch(/[╭│╰]/)
  },
)

test.runIf(isThere)(
  'inside of tmux a tree that fills the window leaves nothing behind when that becomes smaller',
  async () => {
    using provider = new FakeProvider()
    const { terminal, all, cursor } = await startInTmux({ env: await provider.listen(), cols: 120, rows: 40 })
    for (let i = 0; i < 10; i++) {
      terminal.type(`message ${i} has some words, so that its line in the tree is as wide as there is room for it\r`)
      const reply = await provider.next()
      reply.say(`Reply ${i}x has some words, too, for the same reason as the message: its line is to be a long one`)
      reply.end()
      await terminal.see(new RegExp(`Reply ${i}x[\\s\\S]*Say something`))
    }
    const before = all()
    terminal.type('/tree\r')
    await terminal.seeOnScreen('Enter goes on from there')
    for (const [cols, rows] of [
      [60, 30],
      [40, 20],
      [120, 40],
    ] as const) {
      await terminal.resize(cols, rows)
      await terminal.seeOnScreen(cols < 50 ? 'Enter goes there' : 'Enter goes on from there')
      expect(cursor()).toMatch(/^0,\d+,1$/)
    }
    terminal.type('\x1b')
    await expect.poll(all).toBe(before)
  },
)

test.runIf(isThere)(
  'inside of tmux a long text in the input leaves nothing behind when the window becomes smaller',
  async () => {
    const { terminal, all } = await startInTmux({ cols: 200, rows: 60 })
    for (let i = 0; i < 20; i++)
      terminal.type(
        `Line ${i}x of a long message has a number of words so that it is as wide as the window lets it be\n`,
      )
    await terminal.see(/Line 19x[\s\S]*11 lines above/)
    for (const [cols, rows] of [
      [120, 40],
      [80, 24],
    ] as const) {
      await terminal.resize(cols, rows)
      await expect.poll(all).toMatch(/\d lines above/)
      terminal.type(`at ${cols} `)
      await expect.poll(all).toMatch(new RegExp(`at ${cols}[\\s\\S]*tokens`))
    }
    terminal.type('\x03')
    await expect.poll(all).toMatch(/Say something[\s\S]*Ctrl-C again/)
    expect(all()).not.toMatch(/Line \d+x/)
  },
)
