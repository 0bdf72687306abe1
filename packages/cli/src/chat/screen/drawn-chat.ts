import { chatFrame } from '../frame/chat-frame.ts'
import type { Frame } from '../frame/frame.ts'
import { PagerLines } from '../frame/pager-lines.ts'
import { screenWidth } from '../frame/screen-width.ts'
import { rowsIn } from '../lines/growing-lines.ts'
import { smallestWindow } from '../lines/smallest-window.ts'
import { pictureProtocol } from '../lines/thumbnail.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { ChangingSize } from './changing-size.ts'
import { type PrintedLine, processTerminal, Screen, type TerminalOutput } from './screen.ts'
import { TranscriptPrinter } from './transcript-printer.ts'

/** Milliseconds between two frames while something runs: the spinner and the times move. */
const spinMs = 120

/** Draws a chat from now on, whenever its state or the terminal's size changes. Keys are read elsewhere. */
export class DrawnChat {
  readonly #session: ChatSession
  readonly #out: TerminalOutput
  readonly #screen: Screen
  readonly #size: ChangingSize
  readonly #printer = new TranscriptPrinter(() => this.#schedule(), pictureProtocol(process.env))
  readonly #unsubscribe: () => void
  #isScheduled = false
  /** True while something else uses the terminal. */
  #isLent = false
  #spinning: NodeJS.Timeout | undefined
  #pager: PagerLines | undefined
  /** True while a list is open that has a screen of its own. */
  #isListApart = false

  constructor(session: ChatSession, out: TerminalOutput = processTerminal) {
    this.#session = session
    this.#out = out
    this.#screen = new Screen(out)
    this.#size = new ChangingSize(out, () => this.#schedule())
    this.#unsubscribe = session.subscribe(this.#schedule)
    process.stdout.on('resize', this.#schedule)
    this.#draw()
  }

  /** Takes all but the transcript away for something else that uses the terminal. Draws nothing until `redraw`. */
  clear(): void {
    this.#screen.clear()
    this.#isLent = true
  }
  redraw(): void {
    this.#isLent = false
    this.#draw()
  }
  /** Draws it on an empty screen; what is printed is in the scrollback and is not printed again. */
  scrollAway(): void {
    if (this.#isLent) return
    this.#screen.scrollAway()
    this.#draw()
  }
  /** Takes all but the transcript away, for good. */
  close(): void {
    this.#unsubscribe()
    process.stdout.off('resize', this.#schedule)
    clearInterval(this.#spinning)
    this.#size.close()
    if (this.#isScheduled) this.#draw()
    this.#isScheduled = false
    this.#screen.clear()
  }

  /** Several changes of the state in one go are one frame. */
  readonly #schedule = (): void => {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      if (this.#isScheduled) this.#draw()
    })
  }

  readonly #draw = (): void => {
    this.#isScheduled = false
    if (this.#isLent) return
    this.#out.refresh()
    const { pager } = this.#session.state
    this.#pager = pager && this.#drawPager(pager.below)
    if (!this.#pager) this.#drawFrame()
  }

  #drawFrame(): void {
    const { state } = this.#session
    const list = this.#listApart(state)
    if (list) this.#screen.drawAlternate(list.lines, list.cursor)
    else if (this.#size.isChanging(this.#out)) this.#drawPart(state, smallestWindow, [])
    else {
      const { columns, rows } = this.#out
      if (state.epoch > 0 && this.#printer.isNewEpoch(state)) this.#screen.scrollAway()
      this.#drawPart(state, this.#out, this.#printer.take(state, { width: screenWidth(columns), rows }))
    }
    if (state.running) this.#spinning ??= setInterval(this.#draw, spinMs)
    else {
      clearInterval(this.#spinning)
      this.#spinning = undefined
    }
  }

  /** A tree or a list to choose from, where the smallest window has no room for it: what a window loses of it would stand in the scrollback for good. */
  #listApart(state: ChatState): Frame | undefined {
    const isOpen = state.tree !== undefined || state.picker !== undefined
    const frame = isOpen ? this.#frame({ ...state, live: [], questions: [] }, this.#out) : undefined
    this.#isListApart = frame !== undefined && (this.#isListApart || rowsIn(frame.lines) > smallestWindow.rows - 2)
    return this.#isListApart ? frame : undefined
  }

  /** Draws all below the transcript for a window of this size, or for the terminal where that is smaller. */
  #drawPart(state: ChatState, window: Pick<TerminalOutput, 'columns' | 'rows'>, above: readonly PrintedLine[]): void {
    const live = state.live.map(item => this.#printer.rest(item))
    this.#screen.draw(this.#frame({ ...state, live }, window), above)
  }

  #frame(state: ChatState, window: Pick<TerminalOutput, 'columns' | 'rows'>): Frame {
    const { configured, traces } = this.#session.composed
    const own = new Set(configured.flatMap(({ active }) => active.map(({ name }) => name)))
    return chatFrame(state, {
      columns: Math.min(window.columns, this.#out.columns),
      rows: Math.min(window.rows, this.#out.rows),
      now: Date.now(),
      hooks: traces.running.names.filter(name => own.has(name)),
    })
  }

  /** Draws a page of the transcript over the chat. Gives its lines, for the next page of the same width. */
  #drawPager(below: number): PagerLines {
    const { columns, rows } = this.#out
    const width = screenWidth(columns)
    const pager = this.#pager?.width === width ? this.#pager : new PagerLines(this.#session.wholeTranscript(), width)
    const page = pager.page({ rows, below, isAsked: this.#session.state.questions.length > 0 })
    this.#screen.drawAlternate(page.lines)
    if (page.below !== below) this.#session.set({ pager: { below: page.below } })
    return pager
  }
}
