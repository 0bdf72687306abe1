import type { Editor } from './editor.ts'

/** Ctrl-R: a search in the lines that were sent before. */
export interface HistorySearch {
  readonly query: string
  /** Index of the line that is shown; one behind the last where none is. */
  readonly at: number
  readonly failed: boolean
  /** The input from before the search, which Esc brings back. */
  readonly before: Editor
}

export const beginSearch = (lines: readonly string[], before: Editor): HistorySearch => ({
  query: '',
  at: lines.length,
  failed: false,
  before,
})

/** The newest line with the query, at `from` or before it. A search that finds nothing stays where it is. */
function findFrom(search: HistorySearch, lines: readonly string[], query: string, from: number): HistorySearch {
  const wanted = query.toLowerCase()
  const at = lines.findLastIndex((line, i) => i <= from && line.toLowerCase().includes(wanted))
  return { ...search, query, failed: at < 0, at: at < 0 ? search.at : at }
}

export const searchFor = (search: HistorySearch, lines: readonly string[], query: string): HistorySearch =>
  query ? findFrom(search, lines, query, lines.length - 1) : { ...search, query, failed: false, at: lines.length }

export const searchOlder = (search: HistorySearch, lines: readonly string[]): HistorySearch =>
  search.query ? findFrom(search, lines, search.query, search.at - 1) : search

/** The next newer line with the query; the search stays where it is when there is none. */
export function searchNewer(search: HistorySearch, lines: readonly string[]): HistorySearch {
  const wanted = search.query.toLowerCase()
  const at = wanted ? lines.findIndex((line, i) => i > search.at && line.toLowerCase().includes(wanted)) : -1
  return { ...search, failed: false, at: at < 0 ? search.at : at }
}
