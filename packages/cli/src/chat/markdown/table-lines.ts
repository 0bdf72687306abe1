import type { Tokens } from 'marked'
import { paint } from '../../text/theme.ts'
import { textColumns, wrapHanging } from '../../text/wrap-text.ts'
import { isHidden, withoutMark } from './hidden-mark.ts'
import { inlineText } from './inline-text.ts'

/** No column is made narrower than this; a table that does not fit then is a list. */
const narrowest = 12

/**
 * A table in boxes, long cells wrapped; or, where it cannot fit, each row's cells under each other with their names. Hidden rows count for the width of the columns,
 * and are not drawn; nor is the line above a hidden head and the line below a hidden last row.
 */
export function tableLines({ header, rows, align }: Tokens.Table, width: number): readonly string[] {
  const head = header.map(({ tokens }) => inlineText(tokens))
  const all = rows.map(row => row.map(({ tokens }) => inlineText(tokens)))
  const body = all.filter(row => !isHiddenRow(row))
  const names = head.map(text => withoutMark(text).trim())
  const natural = names.map((text, i) =>
    Math.max(...[text, ...all.map(row => withoutMark(row[i] ?? '').trim())].map(widestLine)),
  )
  const columns = shrunk(natural, width - 3 * natural.length - 1)
  const isPart = isHiddenRow(head)
  if (!columns) return body.flatMap((row, i) => [...(i ? [''] : []), ...listed(names, row, width)])
  const rule = (left: string, middle: string, right: string) =>
    paint('quiet', `${left}${columns.map(own => '─'.repeat(own + 2)).join(middle)}${right}`)
  const drawn = (row: readonly string[]) => rowLines(row, columns, align)
  return [
    ...(isPart ? [] : [rule('┌', '┬', '┐'), ...drawn(head.map(text => paint('strong', text))), rule('├', '┼', '┤')]),
    ...body.flatMap(drawn),
    ...(isHiddenRow(all.at(-1) ?? []) ? [] : [rule('└', '┴', '┘')]),
  ]
}

/** Columns of the longest line of a cell. */
const widestLine = (cell: string): number => Math.max(...cell.split('\n').map(textColumns))

const isHiddenRow = (row: readonly string[]): boolean => row.some(isHidden)

/** Column widths that fit, taken from the widest first. Undefined: there are none. */
function shrunk(natural: readonly number[], room: number): readonly number[] | undefined {
  const columns = natural.map(own => Math.max(1, own))
  for (let over = columns.reduce((sum, own) => sum + own, 0) - room; over > 0; over--) {
    const widest = columns.indexOf(Math.max(...columns))
    const own = columns[widest] ?? 0
    if (own <= narrowest) return undefined
    columns[widest] = own - 1
  }
  return columns
}

function rowLines(row: readonly string[], columns: readonly number[], align: Tokens.Table['align']): readonly string[] {
  const cells = columns.map((own, i) => wrapHanging(row[i] ?? '', own).map(line => line.trimEnd()))
  const bar = paint('quiet', '│')
  return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, at) => {
    const parts = cells.map((lines, i) => ` ${padded(lines[at] ?? '', columns[i] ?? 0, align[i] ?? 'left')} `)
    return `${bar}${parts.join(bar)}${bar}`
  })
}

function padded(text: string, columns: number, align: 'left' | 'center' | 'right'): string {
  const free = Math.max(0, columns - textColumns(text))
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0
  return `${' '.repeat(before)}${text}${' '.repeat(free - before)}`
}

const listed = (head: readonly string[], row: readonly string[], width: number): readonly string[] =>
  row.flatMap((text, i) => wrapHanging(`${paint('strong', head[i] ?? '')}: ${text}`, width))
