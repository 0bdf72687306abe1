import { wrapText } from '../../text/wrap-text.ts'
import { type FittedQuestion, fitQuestion } from '../question/fit-question.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { besideLines } from './beside-lines.ts'
import { menuHeight } from './choice-lines.ts'
import { type InputWindow, inputWindow } from './input-window.ts'
import { reservedRows, screenWidth } from './screen-width.ts'
import { inputHint } from './status-line.ts'
import { waitingLines } from './waiting-lines.ts'

// Contract of this file: the part that is redrawn is lower than the screen. Otherwise the terminal scrolls and rows
// get lost.

export interface ScreenLayout {
  readonly width: number
  readonly written: InputWindow
  /** Messages that wait and are shown, a line each, and the number of those that are not. */
  readonly queue: readonly string[]
  readonly queued: number
  readonly question: FittedQuestion | undefined
  /** Lines of the tree or of a picker. */
  readonly tree: number
  /** Lines of the menu under the input. */
  readonly menu: number
  /** The last lines of commands of the person's own. */
  readonly beside: readonly string[]
  /** Live items that are shown, the number of those that are not, and the rows that a reply may take. */
  readonly live: readonly TranscriptItem[]
  readonly more: number
  readonly reply: number
}

/** Beside a question the messages that wait have one row: the only one, or their number. */
function shownQueue(state: ChatState): readonly string[] {
  const waiting = waitingLines(state)
  if (state.questions.length) return waiting.length === 1 ? waiting : []
  return waiting.slice(-3)
}

/** Lines of the input that are shown at most: in a window of 80 × 24 that was as wide as any before they leave nothing in the scrollback. */
const inputLimit = 10
/** A third of the window, and no more than three lines beside a question. */
const inputRows = (rows: number, isAsked: boolean): number =>
  isAsked ? 3 : Math.min(inputLimit, Math.max(3, Math.floor(rows / 3)))

/** Divides the rows of the screen: first the question and the input, then the live items above them. */
export function layoutScreen(state: ChatState, columns: number, rows: number): ScreenLayout {
  const width = screenWidth(columns)
  const asked = shownQuestion(state)
  const written = inputWindow(state.editor, width - 3, inputRows(rows, asked !== undefined))
  const instead = state.tree ?? state.picker
  const menu = instead ? 0 : menuHeight(state.menu, rows)
  const input = instead ? 0 : inputLines(state, written, width) + menu
  const free = rows - reservedRows(width, rows) - input
  const question = asked && !instead ? fitQuestion(asked, free - besides(state, free), width) : undefined
  // The tree has a row for its keys and a blank one above it.
  const tree = instead ? Math.max(1, free - 2) : 0
  const beside = question || instead ? [] : besideLines(state, width, free)
  const left = instead ? 0 : free - (question?.height ?? 0) - beside.length
  const [live, more] = newestItemsThatFit(state.live, left, width)
  const queue = shownQueue(state)
  return {
    width,
    written,
    queue,
    queued: waitingLines(state).length - queue.length,
    question,
    tree,
    menu,
    beside,
    live,
    more,
    reply: Math.max(1, left - replyLines),
  }
}

/** The question that is shown, with how many come after it, and with whether a text in the input would answer it. */
function shownQuestion({ questions: [question, ...more], editor: { text } }: ChatState): Question | undefined {
  const typed = text !== '' && !text.startsWith('/')
  const title = more.length ? ` (${more.length} more after this)` : ''
  return question && { ...question, typed, title: `${question.title}${title}` }
}

/** Rows that a question leaves to live items: the newest call, or only their number. */
const besides = ({ live }: ChatState, free: number): number => (live.length ? (free > 16 ? 4 : 1) : 0)

/** A reply has a line above it, may have one for its thought and one that says that it was cut. */
const replyLines = 4

function inputLines(state: ChatState, { lines, above, below }: InputWindow, width: number): number {
  const { editor, questions, hint } = state
  const queued = shownQueue(state).length
  const isMore = waitingLines(state).length > queued
  const empty = editor.text === '' && !questions.length ? wrapText(`  ${inputHint(state)}`, width - 2).length : 1
  const under = hint || above || below ? 1 : 0
  return 1 + queued + (isMore ? 1 : 0) + Math.max(lines, empty) + under
}

/** The newest live items that fit, and the number of those left out. Saying that number takes a row as well. */
export function newestItemsThatFit(
  items: readonly TranscriptItem[],
  rows: number,
  width: number,
): [shown: readonly TranscriptItem[], more: number] {
  let left = rows
  let from = items.length
  while (from > 0) {
    const item = items[from - 1]
    if (!item) break
    left -= Math.min(linesOf(item, width), item.kind === 'tool' ? Number.POSITIVE_INFINITY : rows)
    if (left < (from > 1 ? 1 : 0)) break
    from--
  }
  return [items.slice(from), from]
}

const linesOf = (item: TranscriptItem, width: number): number =>
  item.kind === 'tool'
    ? 2 + (item.answered === undefined ? 0 : 1) + (item.progress === undefined ? 0 : item.progress.split('\n').length)
    : wrapText(item.text, width - 2).length + 2
