/** The spans of a turn as a store keeps them: a table, with its words listed once. Plain JSON. */
export interface PackedTrace {
  /** The columns, the commonest first. `#`: numbers of words. `~`: ticks since `start`, or of a duration. */
  readonly columns: readonly string[]
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

/** A trace in a quarter of the space. `unpackTrace` gives its spans back. */
export function packTrace(spans: readonly object[]): PackedTrace {
  const rows = spans.map(span => span as Members)
  const start = Math.min(...rows.map(row => Number(row['startedAt'] ?? 0)), Infinity)
  const base = Number.isFinite(start) ? start * ticks : 0
  const words: string[] = []
  const numbers = new Map<string, number>()
  const numberOf = (word: string) => {
    const known = numbers.get(word) ?? words.push(word) - 1
    numbers.set(word, known)
    return known
  }
  const names = columnNames(rows)
  const columns = names.map(name => {
    if (times.has(name)) return `~${name}`
    return rows.every(row => row[name] === undefined || typeof row[name] === 'string') ? `#${name}` : name
  })
  const cell = (row: Members, column: string) => {
    const name = column.replace(/^[#~]/, '')
    const value = row[name]
    if (value === undefined) return null
    if (column.startsWith('#')) return numberOf(value as string)
    return column.startsWith('~') ? (value as number) * ticks - (name === 'startedAt' ? base : 0) : value
  }
  return { columns, words, start: base, rows: rows.map(row => withoutEnd(columns.map(column => cell(row, column)))) }
}

function columnNames(rows: readonly Members[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      if (value !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
}

const withoutEnd = (cells: readonly unknown[]): readonly unknown[] =>
  cells.slice(0, cells.findLastIndex(value => value !== null) + 1)

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
