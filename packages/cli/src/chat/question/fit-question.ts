import { wrapHanging, wrapText } from '../../text/wrap-text.ts'
import { reservedRows, screenWidth } from '../frame/screen-width.ts'
import { scopeWords } from '../input/answer-choices.ts'
import { rowsIn } from '../lines/growing-lines.ts'
import { smallestWindow } from '../lines/smallest-window.ts'
import { wrapDiff } from '../lines/wrap-diff.ts'
import type { Question } from '../transcript/question.ts'
import { answerKeyLetters, answerKeyLines, permissionKeyHelp } from './answer-key-lines.ts'

export interface FittedQuestion {
  readonly title: readonly string[]
  readonly body: readonly string[]
  /** Lines of the diff that are shown. */
  readonly diff: readonly string[]
  /** Lines that are not shown. */
  readonly more: number
  readonly pattern: readonly string[]
  readonly problem: readonly string[]
  /** A line per group of keys that answer the question. */
  readonly keys: readonly string[]
  readonly height: number
}

const asked = {
  reason: 'Why not? Enter sends it, also empty; Esc goes back',
  args: 'Edit it; Enter runs it as it is then, Esc goes back',
  delegate: 'Who is to be asked instead? Enter passes it on, Esc goes back',
}
/** Rows of the border, and of the blank line above it. */
const frame = 3

/** Rows of the smallest window that a question may take. */
const smallRows = 13
/** Columns of a line of which only a part is shown: one row of the smallest window. */
const smallColumns = smallestWindow.columns - 1

/**
 * As many lines of a question as there are free rows; the diff goes before the arguments. One that would be higher than the smallest window is not shown
 * whole: what a window loses when it becomes smaller would stand in its scrollback for good.
 */
export function fitQuestion(question: Question, freeRows: number, width: number): FittedQuestion {
  const whole = contentLines(question, width)
  const content = [...whole.body, ...whole.diff]
  let around = aroundIt(question, freeRows, width)
  // The pattern can wait until it is to be confirmed.
  if (!isLow([...linesOf(around), ...content], freeRows) && !question.confirming) around = { ...around, pattern: [] }
  const lines = linesOf(around)
  if (isLow([...lines, ...content], freeRows))
    return { ...around, ...whole, more: 0, height: frame + lines.length + content.length }
  return { ...around, ...beginOf(question, lines, { freeRows, width }) }
}

type Around = Pick<FittedQuestion, 'title' | 'pattern' | 'problem' | 'keys'>

const linesOf = ({ title, pattern, problem, keys }: Around) => [...title, ...pattern, ...problem, ...keys]
const smallRowsOf = (lines: readonly string[]): number => frame + rowsIn(lines.map(line => `│ ${line}`))
const isLow = (lines: readonly string[], freeRows: number): boolean =>
  frame + lines.length <= freeRows && smallRowsOf(lines) <= smallRows

/** The lines of a question's text and of its changes, nothing left out. */
function contentLines({ body, diff = '' }: Question, width: number) {
  const changes = diff ? wrapDiff(diff, width - 6).split('\n') : []
  return { body: wrapText(body, width - 4), diff: changes }
}

/** The first lines of a question that does not fit, and how many are left out: saying that takes a row. */
function beginOf(
  question: Question,
  around: readonly string[],
  { freeRows, width }: { readonly freeRows: number; readonly width: number },
) {
  const { body, diff } = contentLines(question, Math.min(width, smallColumns))
  const all = body.length + diff.length
  const taken = frame + around.length
  const left = Math.min(freeRows - taken, smallRows - smallRowsOf(around)) - 1
  const fits = Math.min(all, Math.max(question.help ? 0 : 2, Math.min(left, question.help ? 2 : all)))
  const diffLines = Math.min(diff.length, Math.max(fits - body.length, Math.ceil(fits / 2)))
  const shown = body.slice(0, Math.max(Math.min(1, fits), fits - diffLines))
  const more = question.help ? 0 : all - shown.length - diffLines
  const height = taken + shown.length + diffLines + (more ? 1 : 0)
  return { body: shown, diff: diff.slice(0, diffLines), more, height }
}

/** The calls that a yes for longer would cover, in words. */
function patternText({ pattern, writing, confirming }: Question): string | undefined {
  if (writing || !pattern) return undefined
  return confirming
    ? `Allow ${scopeWords[confirming.scope] ?? confirming.scope}, without asking again: ${pattern}`
    : `For longer than once it covers ${pattern}`
}

/** Title, pattern, problem and keys, shorter on a low screen. */
function aroundIt(question: Question, freeRows: number, width: number) {
  const { title, writing, help, problem } = question
  const wrap = (text: string | undefined) => (text === undefined ? [] : wrapHanging(text, width - 4))
  const around = {
    title: wrap(title),
    pattern: wrap(patternText(question)),
    problem: wrap(problem),
    keys: (writing
      ? [asked[writing]]
      : help && !question.typed
        ? permissionKeyHelp(question, width)
        : answerKeyLines(question, width)
    ).flatMap(wrap),
  }
  const taken = Object.values(around).reduce((sum, { length }) => sum + length, frame)
  if (freeRows - taken >= 3) return around
  if (writing) return { ...around, keys: wrap('Enter sends · Esc goes back') }
  return help
    ? { ...around, pattern: [], keys: around.keys.slice(0, Math.max(1, freeRows - frame - around.title.length)) }
    : { ...around, keys: wrap(answerKeyLetters(question)) }
}

/** True when no line of a question is left out, even beside a running call and while the answer is being written. */
export const isShownWhole = (question: Question, columns: number, rows: number): boolean => {
  const width = screenWidth(columns)
  const fits = (answering: Partial<Question>, written: number) =>
    fitQuestion({ ...question, ...answering }, rows - reservedRows(width, rows) - 1 - written - 4, width).more === 0
  const isEdited = question.kind === 'permission'
  return fits({ problem: 'line' }, 1) && (!isEdited || fits({ problem: 'two\nlines', writing: 'args' }, 3))
}
