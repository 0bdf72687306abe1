import { hangingWrap, hardWrap } from '../wrap.ts'
import { keyLetters, keyLines, permissionHelp } from './answer-keys.ts'
import { type InputWindow, inputWindow } from './input-window.ts'
import type { ChatState, Item, Question } from './state.ts'
import { inputHint } from './status-line.ts'

// What is redrawn below the transcript has to be lower than the screen: else the terminal scrolls, and lines get lost.

export interface Room {
  readonly width: number
  readonly written: InputWindow
  /** What waits for after the turn, and how many more of it there are. */
  readonly queue: readonly string[]
  readonly queued: number
  readonly question: FittedQuestion | undefined
  /** Lines of the tree. */
  readonly tree: number
  /** What still changes, how many more of it there are, and the lines that a reply may take. */
  readonly live: readonly Item[]
  readonly more: number
  readonly reply: number
}

/** Beside a question what waits has one line: itself, or how many there are. */
const shownQueue = ({ queue, questions }: ChatState): readonly string[] =>
  questions.length ? (queue.length === 1 ? queue : []) : queue.slice(0, 3)
/** The line after the last, which the cursor is in, and the status. */
const always = 2

/** Who gets which lines of the screen: first the question and the input, then what changes above them. */
export function roomFor(state: ChatState, columns: number, rows: number): Room {
  const width = widthOf(columns)
  const asked = shownQuestion(state)
  const written = inputWindow(state.editor, width - 3, asked ? 3 : Math.max(3, Math.floor(rows / 3)))
  const input = state.tree ? 0 : inputLines(state, written, width)
  const free = rows - always - input
  const question = asked && !state.tree ? fitQuestion(asked, free - besides(state, free), width) : undefined
  // A line each for the keys and above it.
  const tree = state.tree ? Math.max(1, free - 2) : 0
  const room = state.tree ? 0 : free - (question?.height ?? 0)
  const [live, more] = newestThatFit(state.live, room, width)
  const queue = shownQueue(state)
  return {
    width,
    written,
    queue,
    queued: state.queue.length - queue.length,
    question,
    tree,
    live,
    more,
    reply: Math.max(1, room - replyLines),
  }
}

/** The question that is shown, with how many come after it. */
function shownQuestion({ questions: [question, ...more] }: ChatState): Question | undefined {
  if (!question || !more.length) return question
  return { ...question, title: `${question.title} (${more.length} more after this)` }
}

/** Lines that a question leaves to what still changes: the newest call, or only how many there are. */
const besides = ({ live }: ChatState, free: number): number => (live.length ? (free > 16 ? 4 : 1) : 0)

/** A reply has a line above it, may have one for its thought and one that says that it was cut. */
const replyLines = 4

function inputLines(state: ChatState, { lines, above, below }: InputWindow, width: number): number {
  const { editor, questions, running, hint } = state
  const queued = shownQueue(state).length
  const empty = editor.text === '' && !questions.length ? hardWrap(`  ${inputHint(running)}`, width - 2).length : 1
  const under = hint || above || below || isCommand(editor.text) ? 1 : 0
  return 1 + queued + (state.queue.length > queued ? 1 : 0) + Math.max(lines, empty) + under
}

/** Whether it may become the name of a slash command. */
export const isCommand = (text: string): boolean => /^\/[a-z]*$/.test(text)

/** The newest of what still changes, as far as there is room, and how many are left out. That takes a line as well. */
export function newestThatFit(
  items: readonly Item[],
  room: number,
  width: number,
): [shown: readonly Item[], more: number] {
  let left = room
  let from = items.length
  while (from > 0) {
    const item = items[from - 1]
    if (!item) break
    left -= Math.min(linesOf(item, width), item.kind === 'tool' ? Number.POSITIVE_INFINITY : room)
    if (left < (from > 1 ? 1 : 0)) break
    from--
  }
  return [items.slice(from), from]
}

const linesOf = (item: Item, width: number): number =>
  item.kind === 'tool' ? 2 + (item.progress === undefined ? 0 : 1) : hardWrap(item.text, width - 2).length + 2

export interface FittedQuestion {
  readonly title: readonly string[]
  readonly body: readonly string[]
  /** How many lines of the diff. */
  readonly diff: number
  /** Lines that are not shown. */
  readonly more: number
  readonly pattern: readonly string[]
  readonly problem: readonly string[]
  /** What the keys do. */
  readonly keys: readonly string[]
  readonly height: number
}

const asked = {
  reason: 'Why not? Enter sends it, also empty; Esc goes back',
  args: 'Change the arguments; Enter runs it with them, Esc goes back',
  answer: 'Enter answers',
}
/** Its border, and the line above. */
const frame = 3

/** As many lines of a question as there is room for; the change matters more than the arguments it is made of. */
export function fitQuestion(question: Question, room: number, width: number): FittedQuestion {
  const { body, diff = '', help } = question
  const around = aroundIt(question, room, width)
  const taken = Object.values(around).reduce((sum, { length }) => sum + length, frame)
  const lines = hardWrap(body, width - 4)
  const changes = diff ? diff.trimEnd().split('\n').length : 0
  const all = lines.length + changes
  const left = room - taken
  // Where not all of it fits, a line says so.
  const fits = left >= all ? all : Math.max(help ? 0 : 2, Math.min(left - 1, help ? 2 : all))
  const diffLines = Math.min(changes, Math.max(fits - lines.length, Math.ceil(fits / 2)))
  const shown = lines.slice(0, Math.max(Math.min(1, fits), fits - diffLines))
  const more = help ? 0 : all - shown.length - diffLines
  return { ...around, body: shown, diff: diffLines, more, height: taken + shown.length + diffLines + (more ? 1 : 0) }
}

/** What stands around the call, shorter where the screen is low. */
function aroundIt(question: Question, room: number, width: number) {
  const { title, pattern, writing, help, problem } = question
  const wrap = (text: string | undefined) => (text === undefined ? [] : hangingWrap(text, width - 4))
  const around = {
    title: wrap(title),
    pattern: wrap(writing ? undefined : pattern && `For longer than once it covers: ${pattern}`),
    problem: wrap(problem),
    keys: (writing ? [asked[writing]] : help ? permissionHelp(width) : keyLines(question, width)).flatMap(wrap),
  }
  const taken = Object.values(around).reduce((sum, { length }) => sum + length, frame)
  if (room - taken >= 3) return around
  if (writing) return { ...around, keys: wrap('Enter sends · Esc goes back') }
  return help
    ? { ...around, pattern: [], keys: around.keys.slice(0, Math.max(1, room - frame - around.title.length)) }
    : { ...around, keys: wrap(keyLetters(question)) }
}

/** Whether all of a question is seen, also beside a call and while it is being answered. */
export const isSeenWhole = (question: Question, columns: number, rows: number): boolean => {
  const width = widthOf(columns)
  const fits = (answering: Partial<Question>, written: number) =>
    fitQuestion({ ...question, ...answering }, rows - always - 1 - written - 4, width).more === 0
  return fits({ problem: 'line' }, 1) && fits({ problem: 'two\nlines', writing: 'args' }, 3)
}

const widthOf = (columns: number): number => Math.max(20, Math.min(100, columns - 1))
