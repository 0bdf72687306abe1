import type { ChatSession } from '../chat-session.ts'
import { chatFrame } from './chat-frame.ts'
import { PagerLines } from './pager-lines.ts'
import { processTerminal, Screen, type TerminalOutput } from './screen.ts'
import { screenWidth } from './screen-width.ts'
import { TranscriptPrinter } from './transcript-printer.ts'

/** Milliseconds between two frames while something runs: the spinner and the times move. */
const spinMs = 120

export interface DrawnChat {
  /** Takes all but the transcript away for something else that uses the terminal, until `redraw`. */
  clear(): void
  redraw(): void
  /** Takes all but the transcript away. */
  close(): void
}

/** Draws the chat from now on. Keys are read elsewhere. */
export function drawChat(session: ChatSession, out: TerminalOutput = processTerminal): DrawnChat {
  const screen = new Screen(out)
  const printer = new TranscriptPrinter(() => schedule())
  let scheduled = false
  let spinning: NodeJS.Timeout | undefined
  let pager: PagerLines | undefined
  const draw = () => {
    out.refresh()
    scheduled = false
    const { state } = session
    const { columns, rows } = out
    pager = state.pager && drawPager({ session, screen, out }, pager, state.pager.below)
    if (pager) return
    if (state.epoch > 0 && printer.isNewEpoch(state)) screen.scrollAway()
    const above = printer.take(state, { width: screenWidth(columns), rows })
    const live = state.live.map(item => printer.rest(item))
    const hooks = session.composed.traces.running.names
    screen.draw(chatFrame({ ...state, live }, { columns, rows, now: Date.now(), hooks }), above)
    if (state.running) spinning ??= setInterval(draw, spinMs)
    else {
      clearInterval(spinning)
      spinning = undefined
    }
  }
  /** Several changes of the state in one go are one frame. */
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      if (scheduled) draw()
    })
  }
  const unsubscribe = session.subscribe(schedule)
  process.stdout.on('resize', schedule)
  draw()
  return {
    clear: () => screen.clear(),
    redraw: draw,
    close() {
      unsubscribe()
      process.stdout.off('resize', schedule)
      clearInterval(spinning)
      if (scheduled) draw()
      scheduled = false
      screen.clear()
    },
  }
}

interface PagedChat {
  readonly session: ChatSession
  readonly screen: Screen
  readonly out: TerminalOutput
}

/** Draws a page of the transcript over the chat. Gives its lines, for the next page of the same width. */
function drawPager({ session, screen, out }: PagedChat, drawn: PagerLines | undefined, below: number): PagerLines {
  const width = screenWidth(out.columns)
  const pager = drawn?.width === width ? drawn : new PagerLines(session.wholeTranscript(), width)
  const page = pager.page({ rows: out.rows, below })
  screen.drawAlternate(page.lines)
  if (page.below !== below) session.set({ pager: { below: page.below } })
  return pager
}
