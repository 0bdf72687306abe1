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
