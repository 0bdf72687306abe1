/** The spans of a turn as a store keeps them: a table, with its words listed once. Plain JSON. */
export interface PackedTrace {
  /** The columns, the commonest first. `#`: numbers of words. `~`: ticks since `start`, or of a duration. */
  readonly columns: readonly string[]
  /** The words that the spans have in common, each once. */
  readonly words: readonly string[]
  /** Ticks from the epoch to the first span. */
  readonly start: number
  /** Cells of each span. Missing are null, and the last are left out. */
  readonly rows: readonly (readonly unknown[])[]
}

/** A millisecond has 4,096 ticks: a time of day in a double is no finer, so that nothing is lost. */
const ticks = 4096
const times = new Set(['startedAt', 'durationMs', 'waitedMs'])

type Members = Readonly<Record<string, unknown>>

/** A member of spans as a column. */
interface Column {
  readonly name: string
  readonly mark: '' | '#' | '~'
  readonly cell: (value: unknown) => unknown
}

/** A trace in a quarter of the space. `unpackTrace` gives its spans back. */
export function packTrace(spans: readonly object[]): PackedTrace {
  const rows = spans as readonly Members[]
  const first = rows.reduce((least, row) => Math.min(least, Number(row['startedAt'] ?? 0)), Infinity)
  const start = Number.isFinite(first) ? first * ticks : 0
  const numbers = new Map<unknown, number>()
  const numberOf = (word: unknown): number => {
    const known = numbers.get(word)
    if (known !== undefined) return known
    numbers.set(word, numbers.size)
    return numbers.size - 1
  }
  const columns = columnsOf(rows, numberOf, start)
  const packed = rows.map(row => cellsOf(row, columns))
  return {
    columns: columns.map(({ mark, name }) => mark + name),
    words: [...numbers.keys()].map(String),
    start,
    rows: packed,
  }
}

/** The cells of a span, up to the last that it has. */
function cellsOf(row: Members, columns: readonly Column[]): readonly unknown[] {
  const cells: unknown[] = []
  let length = 0
  for (const { name, cell } of columns) {
    const value = row[name]
    const count = cells.push(value === undefined ? null : cell(value))
    if (cells[count - 1] !== null) length = count
  }
  cells.length = length
  return cells
}

function columnsOf(rows: readonly Members[], numberOf: (word: unknown) => number, start: number): Column[] {
  const counts = new Map<string, { count: number; isText: boolean }>()
  for (const row of rows)
    for (const name in row) {
      const value = row[name]
      if (value === undefined) continue
      const known = counts.get(name)
      const column = known ?? { count: 0, isText: true }
      if (!known) counts.set(name, column)
      column.count++
      column.isText &&= typeof value === 'string'
    }
  const commonest = [...counts].sort(([, a], [, b]) => b.count - a.count)
  return commonest.map(([name, { isText }]): Column => {
    const since = name === 'startedAt' ? start : 0
    if (times.has(name)) return { name, mark: '~', cell: value => (value as number) * ticks - since }
    return isText ? { name, mark: '#', cell: numberOf } : { name, mark: '', cell: value => value }
  })
}

/** The spans of a packed trace, or of a plain list of them, as older versions kept it. */
export function unpackTrace<Span>(kept: unknown): readonly Span[] {
  if (Array.isArray(kept)) return kept as Span[]
  const { columns, words, start, rows } = (kept ?? { columns: [], words: [], start: 0, rows: [] }) as PackedTrace
  const member = (column: string, value: unknown): [string, unknown] => {
    const name = column.replace(/^[#~]/, '')
    if (column.startsWith('#')) return [name, words[value as number]]
    if (!column.startsWith('~')) return [name, value]
    return [name, ((value as number) + (name === 'startedAt' ? start : 0)) / ticks]
  }
  return rows.map(row => {
    const members = row.flatMap((value, i) => (value === null ? [] : [member(columns[i] as string, value)]))
    return Object.fromEntries(members) as Span
  })
}
