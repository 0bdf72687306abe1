import { textColumns } from '../../text/wrap-text.ts'
import { smallestWindow } from './smallest-window.ts'

/** Rows of the smallest window which something that grows may take: input and status have the others. */
const smallRows = 10
/** Rows of it from which on finished lines are printed. */
const printedFrom = 6
/** Lines of a table from which on rows are printed, frame and head with them. */
const tableLines = 14

/** Rows that a line takes in the smallest window. */
const rowsOf = (line: string): number => Math.max(1, Math.ceil(textColumns(line) / smallestWindow.columns))
/** Rows that lines take in the smallest window. */
export const rowsIn = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + rowsOf(line), 0)

/**
 * True for lines that may be drawn again and again. The fewer they are, the less can stand in the scrollback twice: rows of a frame that a window loses
 * when it becomes smaller are there for good. A table has more, so that its columns are known before a part of it is printed.
 */
export const areLow = (lines: readonly string[], isTable = false): boolean =>
  isTable ? lines.length <= tableLines : rowsIn(lines) <= printedFrom

/** The last lines of something that grows: no more than `count`, and no more than the smallest window has room for. */
export function lastLines(lines: readonly string[], count: number): readonly string[] {
  if (lines.length <= count && rowsIn(lines) <= smallRows) return lines
  let from = lines.length
  let rows = 1
  while (from > 1 && lines.length - from + 1 < count) {
    rows += rowsOf(lines[from - 1] ?? '')
    if (rows > smallRows) break
    from--
  }
  return ['…', ...lines.slice(from)]
}
