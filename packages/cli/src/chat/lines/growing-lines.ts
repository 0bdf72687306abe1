import { textColumns } from '../../text/wrap-text.ts'

/** The smallest window that is provided for. */
const smallColumns = 40
/** Rows of that window which something that grows may take: input and status have the others. */
const smallRows = 10

/** Rows that a line takes in the smallest window. */
const rowsOf = (line: string): number => Math.max(1, Math.ceil(textColumns(line) / smallColumns))

/**
 * True for lines that may be drawn again and again. The rows of a frame that a window loses when it becomes smaller are in
 * the scrollback for good, and stand there twice when what has grown is printed.
 */
export const areLow = (lines: readonly string[]): boolean =>
  lines.reduce((sum, line) => sum + rowsOf(line), 0) <= smallRows

/** The last lines of something that grows: no more than `count`, and no more than the smallest window has room for. */
export function lastLines(lines: readonly string[], count: number): readonly string[] {
  if (lines.length <= count && areLow(lines)) return lines
  let from = lines.length
  let rows = 1
  while (from > 1 && lines.length - from + 1 < count) {
    rows += rowsOf(lines[from - 1] ?? '')
    if (rows > smallRows) break
    from--
  }
  return ['…', ...lines.slice(from)]
}
