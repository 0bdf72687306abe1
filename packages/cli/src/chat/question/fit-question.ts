import { wrapHanging, wrapText } from '../../text/wrap-text.ts'
import { reservedRows, screenWidth } from '../frame/screen-width.ts'
import { scopeWords } from '../input/answer-choices.ts'
import { wrapDiff } from '../lines/wrap-diff.ts'
import type { Question } from '../transcript/question.ts'
import { answerKeyLetters, answerKeyLines, permissionKeyHelp } from './answer-key-lines.ts'

export interface FittedQuestion {
  readonly title: readonly string[]
  readonly body: readonly string[]
  /** Lines of the diff that are shown. */
  readonly diff: number
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

/** As many lines of a question as there are free rows; the diff goes before the arguments. */
export function fitQuestion(question: Question, freeRows: number, width: number): FittedQuestion {
  const { body, diff = '', help } = question
  const around = aroundIt(question, freeRows, width)
  const taken = Object.values(around).reduce((sum, { length }) => sum + length, frame)
  const lines = wrapText(body, width - 4)
  const changes = diff ? wrapDiff(diff, width - 6).split('\n').length : 0
  const all = lines.length + changes
  const left = freeRows - taken
  // A call or diff that does not fit leaves a row for the number of lines left out.
  const fits = left >= all ? all : Math.max(help ? 0 : 2, Math.min(left - 1, help ? 2 : all))
  const diffLines = Math.min(changes, Math.max(fits - lines.length, Math.ceil(fits / 2)))
  const shown = lines.slice(0, Math.max(Math.min(1, fits), fits - diffLines))
  const more = help ? 0 : all - shown.length - diffLines
  return { ...around, body: shown, diff: diffLines, more, height: taken + shown.length + diffLines + (more ? 1 : 0) }
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
      : help
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
