import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from './run-program.ts'
import { Place, type Size, Terminal } from './terminal.ts'

let place: Place
let open: Terminal[] = []
beforeEach(() => {
  place = new Place()
})
afterEach(() => {
  for (const terminal of open) terminal[Symbol.dispose]()
  open = []
  place[Symbol.dispose]()
})

const prompt = 'Say something, or /help'

async function chat(args: readonly string[] = [], size: Size = {}): Promise<Terminal> {
  const terminal = new Terminal(place, ['chat', '--model', 'offline', ...args], size)
  open.push(terminal)
  await terminal.see(prompt)
  return terminal
}

/** What differs from run to run, made the same. */
const steady = (screen: string): string =>
  screen
    .replaceAll(place.project, '/project')
    .replace(/\d+(\.\d+)? (ms|s)\b/g, 'TIME')
    .replace(/\d+(\.\d+)?k/g, 'COUNT')
    .replace(/ +$/gm, '')

describe('the screen', () => {
  test('shows a turn with a call, its result and the reply', async () => {
    const terminal = await chat()
    terminal.type('what is 17*23\r')
    await terminal.see('17*23 is 391.')
    expect(steady(await terminal.see(prompt))).toMatchSnapshot()
  })

  test('fits into a narrow terminal', async () => {
    const terminal = await chat([], { cols: 34, rows: 14 })
    terminal.type('run date\r')
    await terminal.see('? help')
    terminal.type('n\r')
    await terminal.see('was not allowed')
    expect(
      steady(await terminal.see('Say something'))
        .split('\n')
        .every(line => line.length <= 34),
    ).toBe(true)
  })

  test('follows the size of the terminal', async () => {
    const terminal = await chat()
    terminal.resize(50, 20)
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
    await terminal.see(prompt)
  })

  test('has no colour when none is wanted', async () => {
    const terminal = await chat([], { env: { NO_COLOR: '1' } })
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour is a control sequence
    expect(terminal.raw).not.toMatch(/\x1b\[3[0-7]m/)
  })

  test('cannot be driven by what a tool gives', async () => {
    writeFileSync(join(place.project, 'evil.txt'), 'before \x1b]0;owned\x07\x1b[2Jafter')
    const terminal = await chat()
    terminal.type('read evil.txt\r')
    await terminal.see(/evil.txt says:[\s\S]*after/)
    expect(terminal.raw).not.toContain('owned')
  })
})

describe('a question', () => {
  test('shows the exact call and what it would change', async () => {
    const terminal = await chat()
    terminal.type('write notes.txt: buy bread\r')
    expect(steady(await terminal.see('? help'))).toMatchSnapshot()
  })

  test.each([
    { keys: 'y', written: true, kept: 0 },
    { keys: '\r', written: true, kept: 1 },
    { keys: 'nno thanks\r', written: false, kept: 0 },
  ])('$keys: the file is written: $written; choices kept: $kept', async ({ keys, written, kept }) => {
    const terminal = await chat()
    terminal.type('write a.txt: hello\r')
    await terminal.see('May write_file run?')
    terminal.type(keys)
    await terminal.see(/[✓⊘] write_file[\s\S]*Say something/)
    expect(existsSync(join(place.project, 'a.txt'))).toBe(written)
    const file = join(place.home, 'permissions.json')
    expect(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []).toHaveLength(kept)
  })

  test('can be answered with other arguments', async () => {
    const terminal = await chat()
    terminal.type('write a.txt: hello\r')
    await terminal.see('May write_file run?')
    terminal.type('e')
    await terminal.see('Change the arguments')
    terminal.type('\x15{"path":"b.txt","content":"changed"}\r')
    await terminal.see(/✓ write_file[\s\S]*Say something/)
    expect(readFileSync(join(place.project, 'b.txt'), 'utf8')).toBe('changed')
    expect(existsSync(join(place.project, 'a.txt'))).toBe(false)
  })

  test('of the agent is answered in words', async () => {
    const terminal = await chat()
    terminal.type('ask me: which one\r')
    await terminal.see('A question for you')
    terminal.type('the blue one\r')
    await terminal.see('You answered: the blue one')
  })
})

describe('while it works', () => {
  test.each([
    { how: 'in one chunk', press: (terminal: Terminal) => terminal.type('\x1b\x1b') },
    {
      how: 'apart',
      press(terminal: Terminal) {
        terminal.type('\x1b')
        setTimeout(() => terminal.type('\x1b'), 100)
      },
    },
  ])('Esc Esc $how interrupts a tool, and typing goes on', async ({ press }) => {
    const terminal = await chat()
    terminal.type('wait 60 seconds\r')
    await terminal.see(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] wait/)
    press(terminal)
    await terminal.see('◼ wait')
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
  })

  test('Esc, a letter, Esc does not interrupt', async () => {
    const terminal = await chat()
    terminal.type('wait 2 seconds\r')
    await terminal.see(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] wait/)
    terminal.type('\x1b')
    await terminal.see(/0\/2|1\/2/)
    terminal.type('x\x1b')
    await terminal.see('I waited 2 seconds.')
  })

  test('Enter says it to the running turn, Alt-Enter after it', async () => {
    const terminal = await chat()
    terminal.type('wait 2 seconds\r')
    await terminal.see(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] wait/)
    terminal.type('what is 3+3\x1b\r')
    await terminal.see('⧗ what is 3+3')
    terminal.type('what is 2+2\r')
    await terminal.see('↳ what is 2+2')
    await terminal.see(/2\+2 is 4\.[\s\S]*3\+3 is 6\./)
  })
})

describe('the input', () => {
  test('takes several lines, and a paste as it is', async () => {
    const terminal = await chat()
    terminal.type('what is 1+1\x0a\x1b[200~what is 2+2\r\nwhat is 3+3\x1b[201~')
    await terminal.see(/❯ what is 1\+1\n\s+what is 2\+2\n\s+what is 3\+3/)
    terminal.type('\r')
    await terminal.see(/1\+1 is 2\.[\s\S]*2\+2 is 4\.[\s\S]*3\+3 is 6\./)
  })

  test('remembers what was said, also in the next chat', async () => {
    const first = await chat()
    first.type('what is 5+5\r')
    await first.see('5+5 is 10.')
    first.type('\x04')
    await first.exit
    const second = await chat()
    second.type('\x1b[A')
    await second.see('❯ what is 5+5')
  })

  test('completes commands and files', async () => {
    writeFileSync(join(place.project, 'letters.txt'), 'abc')
    const terminal = await chat()
    terminal.type('read let\t\r')
    await terminal.see('letters.txt says:')
    await terminal.see(prompt)
    terminal.type('/too\t\r')
    await terminal.see('search_files')
  })

  test('an unknown command names the nearest', async () => {
    const terminal = await chat()
    terminal.type('/hlep\r')
    await terminal.see('There is no /hlep. Did you mean "/help"?')
  })
})

describe('the tree', () => {
  test('is walked with the arrows, and gone on from', async () => {
    const terminal = await chat()
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
    await terminal.see(prompt)
    terminal.type('/fork\r')
    await terminal.see('what you say now makes a branch')
    terminal.type('what is 2+2\r')
    await terminal.see('2+2 is 4.')
    await terminal.see(prompt)
    terminal.type('/tree\r')
    const screen = steady(await terminal.see('Enter goes on from there'))
    expect(screen.slice(screen.indexOf('├─'))).toMatchSnapshot()
    terminal.type('\x1b[A\x1b[A\x1b[A\x1b[A\r')
    await terminal.see(/1\+1 is 2\.\s+❯\s+Say something/)
  })

  test('a rewind says first what it leaves behind', async () => {
    const terminal = await chat()
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
    await terminal.see(prompt)
    terminal.type('/rewind\r')
    await terminal.see('4 messages are left on their branch')
    await terminal.see('Tools ran there (calculate)')
    terminal.type('n')
    await terminal.see(/1\+1 is 2\.[\s\S]*Say something/)
  })
})

describe('leaving', () => {
  test.each([
    { how: 'Ctrl-C twice', keys: '\x03\x03', code: 0 },
    { how: 'Ctrl-D', keys: '\x04', code: 0 },
    { how: '/quit', keys: '/quit\r', code: 0 },
  ])('$how restores the terminal', async ({ keys, code }) => {
    const terminal = await chat()
    terminal.type(keys)
    expect(await terminal.exit).toBe(code)
    expect(terminal.raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(terminal.raw.lastIndexOf('\x1b[?25l'))
    expect(terminal.raw).toContain('\x1b[?2004l')
  })

  test('Ctrl-C once does not leave', async () => {
    const terminal = await chat()
    terminal.type('\x03')
    await terminal.see('Ctrl-C again leaves.')
    terminal.type('what is 1+1\r')
    await terminal.see('1+1 is 2.')
  })

  test.each(['SIGKILL', 'SIGHUP'])('after %s in a turn --continue offers to go on', async signal => {
    const first = await chat()
    first.type('what is 1+1; wait 2 seconds\r')
    await first.see(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] wait/)
    first.kill(signal)
    await first.exit
    const second = new Terminal(place, ['chat', '--model', 'offline', '--continue'])
    open.push(second)
    await second.see('The last turn did not end')
    second.type('y')
    await second.see('1+1 is 2.')
    await second.see(prompt)
    second.type('what is 4+4\r')
    await second.see('4+4 is 8.')
    expect((await run(place, ['list'])).out.trim().split('\n')).toHaveLength(1)
  })
})

describe('a project', () => {
  beforeEach(() => {
    mkdirSync(join(place.project, 'hooks'))
    writeFileSync(
      join(place.project, 'hooks/own.ts'),
      `import { middleware, stop } from 'turnbuckle'\nexport default middleware({ name: 'own', beforeTurn: () => stop('as the hook says') })`,
    )
    writeFileSync(join(place.project, 'turnbuckle.config.json'), '{ "middleware": [{ "use": "./hooks/own.ts" }] }')
  })

  test('is asked about once, with what will run', async () => {
    const first = new Terminal(place, ['chat', '--model', 'offline'])
    open.push(first)
    await first.see(/\.\/hooks\/own\.ts[\s\S]*Trust exactly this content\?/)
    first.type('y\r')
    await first.see(prompt)
    first.type('hello\r')
    await first.see('Stopped by own: as the hook says')
    first.type('\x04')
    await first.exit
    await chat()
  })

  test('that is not trusted is left out', async () => {
    const terminal = new Terminal(place, ['chat', '--model', 'offline'])
    open.push(terminal)
    await terminal.see('Trust exactly this content?')
    terminal.type('n\r')
    await terminal.see('Not trusted, so not used: ./hooks/own.ts')
    await terminal.see(prompt)
  })

  test('a saved hook takes effect once it is trusted; a broken one keeps the old', async () => {
    await run(place, ['hooks', 'trust', '--yes'])
    const terminal = await chat()
    const hook = (reason: string) =>
      `import { middleware, stop } from 'turnbuckle'\nexport default middleware({ name: 'own', beforeTurn: () => stop('${reason}') })`
    writeFileSync(join(place.project, 'hooks/own.ts'), hook('as it says now'))
    await terminal.see('./hooks/own.ts has changed')
    terminal.type('y')
    await terminal.see('is in force from the next stage on')
    terminal.type('hello\r')
    await terminal.see('Stopped by own: as it says now')
    writeFileSync(join(place.project, 'hooks/own.ts'), 'export default middleware({')
    await terminal.see('but the old one stays')
    terminal.type('hello again\r')
    await terminal.see(/hello again\s+Stopped by own: as it says now/)
  })
})
