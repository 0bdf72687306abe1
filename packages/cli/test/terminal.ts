import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pty from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { screenPicture } from './recording/screen-picture.ts'

/** The built program: `npm test` builds it first. */
export const program: string = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** A project and a user's folder of its own, gone after the test. */
export class Place {
  readonly project: string = mkdtempSync(join(tmpdir(), 'turnbuckle-cli-'))
  readonly home: string = mkdtempSync(join(tmpdir(), 'turnbuckle-home-'))

  /** Nothing of the machine: no keys, no settings, no Ollama. */
  get env(): Record<string, string> {
    const { PATH = '' } = process.env
    return {
      PATH,
      HOME: this.home,
      TURNBUCKLE_HOME: this.home,
      OLLAMA_BASE_URL: 'http://127.0.0.1:9',
      TERM: 'xterm-256color',
      // The emulator of these tests is the one of VS Code.
      TERM_PROGRAM: 'vscode',
      TZ: 'UTC',
    }
  }
  /** Writes a file of the project, in one step: a program that watches it never reads half of it. */
  put(path: string, text: string): void {
    const full = join(this.project, path)
    const half = join(this.home, 'half.tmp')
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(half, text)
    renameSync(half, full)
  }
  /** Writes the settings of the project. */
  configure(settings: unknown): void {
    this.put('turnbuckle.config.json', JSON.stringify(settings))
  }
  /** Writes a file in the user's folder. */
  putHome(path: string, text: string): void {
    writeFileSync(join(this.home, path), text)
  }
  [Symbol.dispose](): void {
    rmSync(this.project, { recursive: true, force: true })
    rmSync(this.home, { recursive: true, force: true })
  }
}

export interface Size {
  readonly cols?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
  /** A shell in place of the program; the arguments are the shell's. */
  readonly shell?: string
  /** Folder of the project to start in. */
  readonly folder?: string
}

/** The program in a real pseudo-terminal, its screen read through a terminal emulator. */
export class Terminal {
  readonly #pty: pty.IPty
  readonly #screen: xterm.Terminal
  readonly #waiting = new Set<() => void>()
  #ended = false
  /** All that was sent, escape sequences and all. */
  raw = ''
  readonly exit: Promise<number>

  constructor(
    place: Place,
    args: readonly string[],
    { cols = 80, rows = 24, env = {}, shell, folder = '' }: Size = {},
  ) {
    this.#screen = new xterm.Terminal({ cols, rows, scrollback: 500, allowProposedApi: true })
    this.#pty = pty.spawn(shell ?? process.execPath, shell ? [...args] : [program, ...args], {
      cols,
      rows,
      cwd: join(place.project, folder),
      env: { ...place.env, ...env },
    })
    this.#pty.onData(data => {
      this.raw += data
      this.#screen.write(data, () => this.#check())
    })
    this.exit = new Promise(resolve => this.#pty.onExit(({ exitCode }) => resolve(exitCode)))
    // Behind all that was sent: the emulator reads it later.
    void this.exit.then(() =>
      this.#screen.write('', () => {
        this.#ended = true
        this.#check()
      }),
    )
  }

  #check(): void {
    for (const check of this.#waiting) check()
  }

  type(keys: string): void {
    this.#pty.write(keys)
  }
  /** Behind what was sent so far: the emulator reads it later, and a window does not change in the middle of it. */
  async resize(cols: number, rows: number): Promise<void> {
    await new Promise<void>(resolve => this.#screen.write('', resolve))
    this.#screen.resize(cols, rows)
    this.#pty.resize(cols, rows)
  }
  kill(signal: string): void {
    this.#pty.kill(signal)
  }

  /** What is on the screen, with what has scrolled away above it. */
  text(): string {
    const { active } = this.#screen.buffer
    const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
    return lines.join('\n').trimEnd()
  }

  /** What is on the screen alone, without the scrollback. */
  visible(): string {
    const { active } = this.#screen.buffer
    const rows = Array.from({ length: this.#screen.rows }, (_, i) => active.getLine(active.baseY + i))
    return rows
      .map(line => line?.translateToString(true) ?? '')
      .join('\n')
      .trimEnd()
  }

  /** The screen as an SVG. */
  picture(): string {
    return screenPicture(this.#screen)
  }

  /** The cursor, from 0; `shown` is false while the program hides it. */
  cursor(): { readonly row: number; readonly column: number; readonly shown: boolean } {
    const { cursorX, cursorY } = this.#screen.buffer.active
    const shown = this.raw.lastIndexOf('\x1b[?25h') >= this.raw.lastIndexOf('\x1b[?25l')
    return { row: cursorY, column: cursorX, shown }
  }

  /** Resolves once the screen without its scrollback says so. */
  seeOnScreen(expected: string | RegExp): Promise<string> {
    return this.see(expected, () => this.visible())
  }

  /** Resolves once the screen says so. The limit only ends a test that would hang. */
  see(expected: string | RegExp, look: () => string = () => this.text()): Promise<string> {
    const holds = () => (typeof expected === 'string' ? look().includes(expected) : expected.test(look()))
    return new Promise((resolve, reject) => {
      const check = () => {
        if (holds()) settle(() => resolve(look()))
        else if (this.#ended) giveUp()
      }
      const settle = (then: () => void) => {
        clearTimeout(limit)
        this.#waiting.delete(check)
        then()
      }
      const giveUp = () => settle(() => reject(new Error(`Never saw ${expected}. The screen:\n${this.text()}`)))
      const limit = setTimeout(giveUp, 60_000)
      this.#waiting.add(check)
      check()
    })
  }

  [Symbol.dispose](): void {
    try {
      this.#pty.kill('SIGKILL')
    } catch {
      // It has ended by itself.
    }
    this.#screen.dispose()
  }
}
