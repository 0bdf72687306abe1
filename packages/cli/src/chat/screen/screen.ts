import { cleanStyled } from '../../text/clean-text.ts'
import { sendToTerminal } from '../../text/print.ts'
import { textColumns } from '../../text/wrap-text.ts'
import type { Frame } from '../frame/frame.ts'
import { smallestWindow } from '../lines/smallest-window.ts'
import type { Thumbnail } from '../lines/thumbnail.ts'

/** A line, or a picture that takes some. */
export type PrintedLine = string | Thumbnail

/** The terminal as far as the screen needs it; tests give their own. */
export interface TerminalOutput {
  readonly columns: number
  readonly rows: number
  /** Looks for a new size, which Node learns only when the signal about it is handled: keys may come before. */
  refresh(): void
  send(sequences: string): void
}

export const processTerminal: TerminalOutput = {
  get columns() {
    return process.stdout.columns || 80
  },
  get rows() {
    return process.stdout.rows || 24
  },
  refresh() {
    const { stdout } = process
    if ('_refreshSize' in stdout && typeof stdout._refreshSize === 'function') stdout._refreshSize()
  },
  send: sendToTerminal,
}

const hideCursor = '\x1b[?25l'
const showCursor = '\x1b[?25h'
/** The terminal shows what stands between these two at once, where it knows them; others ignore them. */
const [beginUpdate, endUpdate] = ['\x1b[?2026h', '\x1b[?2026l']
/** Without wrapping, a line that is too long for the terminal, whose size may have changed just now, loses its end and stays one row. */
const [wrapOff, wrapOn] = ['\x1b[?7l', '\x1b[?7h']
const [alternateOn, alternateOff] = ['\x1b[?1049h', '\x1b[?1049l']
const eraseBelow = '\x1b[J'
const eraseToEnd = '\x1b[K'
/** tmux forgets only with a whole row that it had wrapped a line there, and would wrap it back together with the next row. */
const eraseRow = '\x1b[2K'
/** The row of the cursor, which is at its beginning, and all below. What is erased from the very first place of the screen, tmux puts into its scrollback. */
const eraseRows = `${eraseRow}\x1b[C${eraseBelow}\r`
const [saveCursor, restoreCursor] = ['\x1b7', '\x1b8']
const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '')

/**
 * How a terminal that has become narrower treats lines which no longer fit. `wraps`: their ends become rows, and the
 * cursor stays in its line. `climbs` (tmux): the same, but it tells of the new size up to 250 ms late, and its backspace goes back over a wrapped
 * line. `drifts` (xterm.js, so VS Code): rows that come up below the cursor move it down as well, and only then
 * its own line is wrapped, too; a terminal that has become lower drops rows below the cursor first. `cuts`: lines stay one row each.
 */
type Narrowing = 'wraps' | 'climbs' | 'drifts' | 'cuts'

function narrowingOf({ XTERM_VERSION, TMUX, STY, TERM = '', TERM_PROGRAM = '' }: NodeJS.ProcessEnv): Narrowing {
  // Over ssh from inside of tmux only TERM tells; GNU screen has that name too.
  const isTmux = TERM_PROGRAM === 'tmux' || (TMUX && !TERM_PROGRAM) || (/^(tmux|screen)/.test(TERM) && !STY)
  if (isTmux) return 'climbs'
  if (XTERM_VERSION || TERM === 'linux') return 'cuts'
  return /^(vscode|hyper|tabby)$/i.test(TERM_PROGRAM) ? 'drifts' : 'wraps'
}

/**
 * Draws at the bottom of what the terminal has. Lines above the frame are printed once and belong to the terminal's
 * scrollback from then on; only the frame is drawn again. Contract: a frame is lower than the terminal, and its lines
 * are narrower; the scrollback is never erased.
 */
export class Screen {
  readonly #out: TerminalOutput
  readonly #narrowing: Narrowing
  #drawn: readonly string[] = []
  /** Row and column of the terminal's cursor, from the first line of the frame. */
  #at = { row: 0, column: 0 }
  #alternate: readonly string[] | undefined
  /** Size of the terminal when the frame was drawn. */
  #columns: number
  #rows: number
  /** Rows that were printed above the frame: those that the terminal has beyond them and the frame are blank. */
  #printed = 0

  constructor(out: TerminalOutput = processTerminal, env: NodeJS.ProcessEnv = process.env) {
    this.#out = out
    this.#narrowing = narrowingOf(env)
    this.#columns = out.columns
    this.#rows = out.rows
    if (this.#narrowing === 'climbs') out.send(spareLines)
  }

  /** Prints `above` over the frame, then draws the frame below it. */
  draw(frame: Frame, above: readonly PrintedLine[] = []): void {
    this.#leaveAlternate()
    if (this.#columns !== this.#out.columns) this.#resized()
    this.#columns = this.#out.columns
    this.#rows = this.#out.rows
    this.#printed += above.reduce((sum, line) => sum + (typeof line === 'string' ? 1 : line.rows), 0)
    const dropped = Math.max(0, frame.lines.length - Math.max(1, this.#out.rows - 1))
    const lines = frame.lines.slice(dropped).map(cleanStyled)
    const row = Math.max(0, frame.cursor.row - dropped)
    const { column } = frame.cursor
    const printed = above.map(printedLine).join('')
    if (!printed && this.#isDrawn(lines, row, column)) return
    const changed = printed ? this.#whole(lines) : this.#changes(lines)
    const back = `\r${up(lines.length - 1 - row)}${column > 0 ? `\x1b[${column}C` : ''}`
    this.#out.send(
      `${beginUpdate}${hideCursor}${this.#toTop()}${printed && this.#narrowing === 'climbs' ? eraseRows : ''}${printed}${wrapOff}${changed}${wrapOn}${back}${showCursor}${endUpdate}`,
    )
    this.#drawn = lines
    this.#at = { row, column }
  }

  /** From the cursor to the beginning of the frame. Inside of tmux whatever the size is by now: line by line, over all rows that each may have. */
  #toTop(): string {
    const { row } = this.#at
    if (this.#narrowing !== 'climbs') return `\r${up(row)}`
    const lines = this.#drawn.slice(0, row + 1).toReversed()
    return `${wrapOff}\r${lines.map(toLineBegin).join(up(1))}${wrapOn}`
  }

  #isDrawn(lines: readonly string[], row: number, column: number): boolean {
    const drawn = this.#drawn
    const same = drawn.length === lines.length && lines.every((line, i) => line === drawn[i])
    return same && drawn.length > 0 && row === this.#at.row && column === this.#at.column
  }

  /** Every line, from the first row of the frame; ends in the last. */
  #whole(lines: readonly string[]): string {
    return `${lines.map(drawnLine).join('\r\n')}${eraseBelow}`
  }

  /** Only lines that differ from those that are drawn. */
  #changes(lines: readonly string[]): string {
    const drawn = this.#drawn
    const lower = drawn.length > lines.length
    const isDrawn = (line: string, i: number) => i < drawn.length && drawn[i] === line
    if (this.#narrowing === 'climbs') return this.#rest(lines, isDrawn)
    // What is erased begins at the cursor, so the last line of a frame that became lower is written in any case.
    const rows = lines.map((line, i) => (isDrawn(line, i) && !(lower && i === lines.length - 1) ? '' : drawnLine(line)))
    return `${rows.join('\r\n')}${lower ? eraseBelow : ''}`
  }

  /** All from the first line that differs, or that tmux may have wrapped: those below it are in other rows then. */
  #rest(lines: readonly string[], isDrawn: (line: string, i: number) => boolean): string {
    const isKept = (line: string, i: number) => isDrawn(line, i) && textColumns(line) <= smallestWindow.columns
    const first = lines.findIndex((line, i) => i === lines.length - 1 || !isKept(line, i))
    return `${'\r\n'.repeat(first)}${this.#whole(lines.slice(first))}`
  }

  /**
   * After the size has changed, before the next frame is drawn. A line that no longer fits takes several rows now:
   * the frame begins so many rows further up. What is above it is left to the terminal.
   */
  #resized(): void {
    const { columns, rows } = this.#out
    const { row, column } = this.#at
    const above = addedRows(this.#drawn.slice(0, row), columns)
    const moved = {
      wraps: above + Math.floor(column / columns),
      drifts: above + this.#drift(),
      cuts: 0,
    }
    const toTop =
      this.#narrowing === 'climbs' ? this.#toTop() : `\r${up(Math.min(row + moved[this.#narrowing], rows - 1))}`
    this.#out.send(`${toTop}${eraseRows}`)
    this.#drawn = []
    this.#at = { row: 0, column: 0 }
  }

  /** Rows by which xterm.js has moved the cursor down from its line. */
  #drift(): number {
    const { columns, rows } = this.#out
    const { row } = this.#at
    const blank = Math.max(0, this.#rows - this.#printed - this.#drawn.length)
    const dropped = Math.max(0, this.#rows - rows - blank)
    const below = addedRows(this.#drawn.slice(row + 1, Math.max(row + 1, this.#drawn.length - dropped)), columns)
    return below && below + addedRows(this.#drawn.slice(row, row + 1), columns)
  }

  /** Scrolls all that is visible into the scrollback: an empty screen, and nothing lost. */
  scrollAway(): void {
    const { rows } = this.#out
    this.clear()
    this.#out.send(`${'\r\n'.repeat(rows - 1)}\x1b[H${this.#narrowing === 'climbs' ? spareLines : ''}`)
    this.#printed = 0
  }

  /** Takes the frame away. The cursor is where it began. */
  clear(): void {
    this.#leaveAlternate()
    this.#out.send(`${this.#toTop()}${eraseRows}${showCursor}`)
    this.#drawn = []
    this.#at = { row: 0, column: 0 }
  }

  /**
   * Draws a whole screen of its own over everything, for as long as `draw` is not called. The frame is taken away first: the size may change meanwhile.
   * Without a place for it the cursor is hidden.
   */
  drawAlternate(lines: readonly string[], cursor?: Frame['cursor']): void {
    const { rows } = this.#out
    if (!this.#alternate) this.clear()
    const before = this.#alternate
    const page = Array.from({ length: rows }, (_, i) => cleanStyled(lines[i] ?? ''))
    const changed = page.map((line, i) => (before?.[i] === line ? '' : `\x1b[${i + 1};1H${ended(line)}${eraseToEnd}`))
    const place = cursor ? `\x1b[${cursor.row + 1};${cursor.column + 1}H${showCursor}` : ''
    this.#out.send(`${before ? '' : alternateOn}${beginUpdate}${hideCursor}${changed.join('')}${place}${endUpdate}`)
    this.#alternate = page
  }

  #leaveAlternate(): void {
    if (!this.#alternate) return
    this.#alternate = undefined
    this.#out.send(alternateOff)
  }
}

/** Rows that lines have more than before, in a terminal of so many columns. */
const addedRows = (lines: readonly string[], columns: number): number =>
  lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(textColumns(line) / columns) - 1), 0)

/**
 * Above everything inside of tmux: for each line that wraps it puts a row from the top of the window into the scrollback, however many are free below. In
 * a window with nothing but a frame those would be rows of the frame.
 */
const spareLines = '\r\n'.repeat(4)
/** Columns of a window in which a line is no longer followed over all of its rows. */
const narrowest = 10
/** From a row's first column to the first row of its line, where the terminal's backspace goes back over a wrapped line; else nothing. */
const toLineBegin = (line: string): string => '\b\r'.repeat(Math.ceil(textColumns(line) / narrowest))

const lineEnd = `${eraseToEnd}\r\n`

const drawnLine = (line: string): string => `${eraseRow}${ended(line)}`

/** A picture is drawn into rows that were made for it, so that nothing scrolls while the terminal draws. */
const printedLine = (line: PrintedLine): string =>
  typeof line === 'string'
    ? `${drawnLine(cleanStyled(line))}${lineEnd}`
    : `${lineEnd.repeat(line.rows)}${up(line.rows)}${saveCursor}${line.sequence}${restoreCursor}\x1b[${line.rows}B`

/** Colours and links end with their line. */
const ended = (line: string): string => (line.includes('\x1b') ? `${line}\x1b]8;;\x1b\\\x1b[0m` : line)
