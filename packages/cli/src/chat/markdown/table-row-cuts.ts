import type { Tokens } from 'marked'
import { textColumns } from '../../text/wrap-text.ts'
import type { CutPlace } from './cut-block.ts'
import { hiddenMark, isHidden, withoutMark } from './hidden-mark.ts'
import { inlineText } from './inline-text.ts'

/** Places before the rows of a table. The rest stands below the head and the widest cells, all of them hidden, so that its columns are as wide. */
export function tableRowCuts({ rows }: Tokens.Table, source: string): readonly CutPlace[] {
  const lines = source.split('\n')
  const [head = '', rule = '', ...body] = lines
  const opening = [hiddenRow(head), rule]
  const widest = new Map<number, { readonly columns: number; readonly row: string }>()
  let length = head.length + rule.length + 2
  return rows.map((cells, i) => {
    const row = body[i] ?? ''
    const hidden = [...new Set(Array.from(widest.values(), each => each.row))]
    const place = { length, closing: hiddenRow(''), opening: `${[...opening, ...hidden].join('\n')}\n` }
    length += row.length + 1
    for (const [column, { tokens }] of cells.entries()) {
      const columns = textColumns(withoutMark(inlineText(tokens)).trim())
      if (columns > (widest.get(column)?.columns ?? -1)) widest.set(column, { columns, row: hiddenRow(row) })
    }
    return place
  })
}

/** The mark is in the first cell. */
const hiddenRow = (row: string): string =>
  isHidden(row) ? row : row.replace(/^\s*\|?/, begin => `${begin || '|'}${hiddenMark}`)
