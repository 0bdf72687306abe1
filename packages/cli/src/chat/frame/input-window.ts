import { cleanText } from '../../text/clean-text.ts'
import { wrapText } from '../../text/wrap-text.ts'
import type { TextCursor } from '../editor/editor.ts'

export interface InputWindow {
  /** The part that is shown, with the cursor in it. */
  readonly editor: TextCursor
  /** Lines of the screen that it takes. */
  readonly lines: number
  /** Lines that are left out before and after it. */
  readonly above: number
  readonly below: number
}

/** The rows around the cursor, where the text has more of them than `rowLimit`. */
export function inputWindow(
  { text: written, cursor: place }: TextCursor,
  columns: number,
  rowLimit: number,
): InputWindow {
  const all = drawn(written)
  const editor = { text: all, cursor: Math.min(all.length, drawn(written.slice(0, place)).length) }
  const rows = rowsOf(editor.text, columns)
  if (rows.length <= rowLimit) return { editor, lines: rows.length, above: 0, below: 0 }
  const at = rows.findLastIndex(({ start }) => start <= editor.cursor)
  const from = Math.max(0, Math.min(at - Math.floor(rowLimit / 2), rows.length - rowLimit))
  const shown = rows.slice(from, from + rowLimit)
  const before = rows.slice(from, at).reduce((sum, { text }) => sum + text.length + 1, 0)
  const cursor = before + Math.min(editor.cursor - (rows[at]?.start ?? 0), rows[at]?.text.length ?? 0)
  const text = shown.map(row => row.text).join('\n')
  return { editor: { text, cursor }, lines: rowLimit, above: from, below: rows.length - from - rowLimit }
}

/** The text in rows of the screen, each with the offset at which it begins. */
export function rowsOf(text: string, columns: number): { readonly text: string; readonly start: number }[] {
  let start = 0
  return wrapText(text, columns).map(row => {
    const placed = { text: row, start }
    start += row.length
    if (text[start] === '\n') start++
    return placed
  })
}

/** What the screen has of a text: nothing that drives a terminal, and a space for a tab, so that each character takes the columns that are counted for it. */
const drawn = (text: string): string => cleanText(text).replaceAll('\t', ' ')
