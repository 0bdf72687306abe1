// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a terminal's sequences are looked for
import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { Screen } from './screen.ts'

/** A terminal emulator that a screen draws on. */
function emulate(cols: number, rows: number, env: NodeJS.ProcessEnv = { TERM_PROGRAM: 'vscode' }) {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 200, allowProposedApi: true })
  const sent: string[] = []
  const out = {
    get columns() {
      return terminal.cols
    },
    get rows() {
      return terminal.rows
    },
    refresh() {},
    send(text: string) {
      sent.push(text)
      terminal.write(text)
    },
  }
  const text = async () => {
    await new Promise<void>(resolve => terminal.write('', resolve))
    const { active } = terminal.buffer
    return Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
      .join('\n')
      .trimEnd()
  }
  const resize = async (columns: number, lines: number) => {
    await text()
    terminal.resize(columns, lines)
  }
  return { screen: new Screen(out, env), text, resize, sent, terminal }
}

const frame = (...lines: readonly string[]) => ({ lines, cursor: { row: 0, column: 0 } })

test('lines above the frame are printed once and scroll away, the frame stays below them', async () => {
  const { screen, text } = emulate(20, 5)
  for (let i = 0; i < 10; i++) screen.draw(frame('> input', 'status'), [`line ${i}`])
  expect(await text()).toBe(`${Array.from({ length: 10 }, (_, i) => `line ${i}`).join('\n')}\n> input\nstatus`)
})

test('only lines that changed are written', () => {
  const { screen, sent } = emulate(20, 5)
  screen.draw(frame('one', 'two', 'three'))
  screen.draw(frame('one', 'TWO', 'three'))
  expect(sent.at(-1)).toContain('TWO')
  expect(sent.at(-1)).not.toContain('one')
  expect(sent.at(-1)).not.toContain('three')
})

test('a frame that becomes lower leaves no row behind', async () => {
  const { screen, text } = emulate(20, 6)
  screen.draw(frame('a', 'b', 'c', 'd'), ['said'])
  screen.draw(frame('a'))
  expect(await text()).toBe('said\na')
})

test('a frame that is as high as the terminal keeps its last lines, and the cursor its place in them', async () => {
  const { screen, text, terminal } = emulate(20, 4)
  screen.draw({ lines: ['1', '2', '3', '4', '5', '6'], cursor: { row: 5, column: 1 } })
  expect(await text()).toBe('4\n5\n6')
  expect(terminal.buffer.active.cursorY).toBe(2)
})

test.each([{ to: [20, 10] }, { to: [10, 10] }, { to: [60, 10] }, { to: [40, 6] }] as const)(
  'after a resize to $to the frame is there once',
  async ({ to: [columns, rows] }) => {
    const { screen, text, resize } = emulate(40, 10)
    const lines = ['live '.repeat(7), '> input', 'status '.repeat(5)]
    screen.draw({ lines, cursor: { row: 1, column: 3 } }, ['said '.repeat(7), 'more'])
    await resize(columns, rows)
    screen.draw({ lines: ['live', '> input', 'status'], cursor: { row: 1, column: 3 } })
    const drawn = await text()
    expect(drawn).toMatch(/more\nlive\n> input\nstatus$/)
    expect(drawn.match(/said/g)).toHaveLength(7)
    expect(drawn.match(/live/g)).toHaveLength(1)
  },
)

/** How much was said, and whether the cursor is at the end of the input. */
const cases = [4, 8, 9, 10, 12, 15].flatMap(count => [true, false].map(isAtEnd => [count, isAtEnd] as const))
test.each([
  { rows: 24, wide: ['input', 'status'] },
  { rows: 24, wide: ['status'] },
  { rows: 24, wide: ['input'] },
  { rows: 20, wide: ['input', 'status'] },
  { rows: 20, wide: ['status'] },
  { rows: 23, wide: ['input', 'status'] },
  { rows: 30, wide: ['input', 'status'] },
])(
  'a terminal of 80 × 24 that becomes 40 × $rows, with a long $wide, loses and doubles nothing',
  async ({ rows, wide }) => {
    for (const [count, isAtEnd] of cases) {
      const { screen, text, resize } = emulate(80, 24)
      const said = Array.from({ length: count }, (_, i) => `said ${i}.`)
      const line = (name: string) => (wide.includes(name) ? `${name} `.repeat(9) : name)
      const cursor = { row: 2, column: isAtEnd ? line('input').length : 2 }
      screen.draw(
        { lines: ['live', '', line('input'), 'menu', line('status')], cursor },
        said.flatMap(each => [each, '']),
      )
      await resize(40, rows)
      screen.draw({ lines: ['live', '', 'input', 'status'], cursor: { row: 2, column: 2 } })
      const drawn = await text()
      expect(drawn.match(/said \d+\.|live/g)).toEqual([...said, 'live'])
      expect(drawn).toMatch(/\n\nlive\n\ninput\nstatus$/)
    }
  },
)

test('an empty screen keeps what was on it in the scrollback', async () => {
  const { screen, text, sent } = emulate(20, 4)
  screen.draw(frame('> input'), ['one', 'two'])
  screen.scrollAway()
  screen.draw(frame('> input'))
  expect(await text()).toBe('one\ntwo\n> input')
  expect(sent.join('')).not.toContain('\x1b[3J')
})

test('foreign sequences in a line are not sent', () => {
  const { screen, sent } = emulate(20, 4)
  screen.draw(frame('a\x1b]0;owned\x07b'), ['c\x1b[2Jd'])
  expect(sent.join('')).toContain('ab')
  expect(sent.join('')).toContain('cd')
  expect(sent.join('')).not.toContain('owned')
})

test('a line that is too long, because the terminal has just become narrower, stays one row of the frame', async () => {
  const { screen, text } = emulate(20, 6)
  screen.draw(frame('a line that is longer than the terminal is wide', 'status'), ['said'])
  expect((await text()).split('\n')).toHaveLength(3)
})

test('nothing is erased from the very first place of the screen, which tmux would put into its scrollback', () => {
  const { screen, sent } = emulate(20, 6, {})
  screen.draw(frame('> input', 'status'))
  screen.clear()
  expect(sent.at(-1)).toMatch(/\r\x1b\[2K\x1b\[C\x1b\[J\r/)
})

test.each<NodeJS.ProcessEnv>([
  { TERM: 'xterm-kitty' },
  { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' },
  { TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' },
  { TERM: 'linux' },
  { TMUX: '/tmp/tmux-0/default,1,0' },
  { TERM: 'tmux-256color', TERM_PROGRAM: 'tmux' },
  { TERM: 'screen-256color' },
  { TERM: 'screen', STY: '1.pts-0.host' },
  { TERM: 'xterm-256color', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' },
  { TERM: 'xterm-256color', NO_COLOR: '1' },
])("with %o the cursor is the terminal's own, in its place", async env => {
  const { screen, sent, terminal, text } = emulate(20, 12, env)
  screen.draw({ lines: ['live', '> hint', 'status'], cursor: { row: 1, column: 2 } }, ['said'])
  const drawn = await text()
  expect(drawn.trimStart()).toBe('said\nlive\n> hint\nstatus')
  expect(sent.at(-1)).toContain('\x1b[?25h')
  const row = drawn.split('\n').indexOf('> hint')
  expect(terminal.buffer.active).toMatchObject({ cursorY: row, cursorX: 2 })
})

/** A terminal that has become narrower, as tmux draws it: the program does not know yet. Its backspace goes back over a wrapped line. */
async function narrowedUnheard() {
  const { text, resize, terminal } = emulate(60, 20)
  terminal.write('\x1b[?45h')
  const out = { columns: 60, rows: 20, refresh() {}, send: (drawn: string) => terminal.write(drawn) }
  const screen = new Screen(out, { TMUX: '/tmp/tmux-0/default,1,0' })
  const wide = 'live '.repeat(11)
  screen.draw({ lines: [wide, wide, '> input', 'status'], cursor: { row: 2, column: 7 } }, ['one', 'two'])
  await resize(24, 20)
  return { screen, text, out, wide }
}

test('inside of tmux a frame that is drawn before the new size is told leaves nothing of the one before it', async () => {
  const { screen, text, out, wide } = await narrowedUnheard()
  screen.draw({ lines: [wide, 'live now', '> input', 'status'], cursor: { row: 2, column: 7 } })
  expect(await text()).toMatch(/^\n{4}one\ntwo\nlive[live ]*\nlive now\n> input\nstatus$/)
  screen.draw({ lines: ['live then', '> input', 'status'], cursor: { row: 1, column: 7 } }, ['three '.repeat(9).trim()])
  expect(await text()).toMatch(/^\n{4}one\ntwo\nthree[\s\S]*three\nlive then\n> input\nstatus$/)
  expect((await text()).match(/three/g)).toHaveLength(9)
  out.columns = 24
  screen.draw({ lines: ['live last', '> input', 'status'], cursor: { row: 1, column: 7 } })
  expect(await text()).toMatch(/^\n{4}one\ntwo\nthree[\s\S]*three\nlive last\n> input\nstatus$/)
})

test('inside of tmux the frame is taken away whole, also where its lines have wrapped', async () => {
  const { screen, text } = await narrowedUnheard()
  screen.clear()
  expect((await text()).trimStart()).toBe('one\ntwo')
})
