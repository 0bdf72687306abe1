import type { DiffLine } from '../ui/diff-view.tsx'

const most = 400

/**
 * A line diff by the longest common subsequence. Texts of more than 400 lines are not compared: all old lines, then
 * all new ones.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before ? before.split('\n') : [], after ? after.split('\n') : []]
  if (a.length > most || b.length > most) return [...a.map(line('gone')), ...b.map(line('new'))]
  return walk(a, b, lengths(a, b))
}

function walk(a: readonly string[], b: readonly string[], table: readonly (readonly number[])[]): DiffLine[] {
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i++] ?? '' })
      j++
    } else if (at(table, i + 1, j) >= at(table, i, j + 1)) lines.push({ kind: 'gone', text: a[i++] ?? '' })
    else lines.push({ kind: 'new', text: b[j++] ?? '' })
  }
  return [...lines, ...a.slice(i).map(line('gone')), ...b.slice(j).map(line('new'))]
}

const line =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text })
const at = (table: readonly (readonly number[])[], i: number, j: number): number => table[i]?.[j] ?? 0

/** `table[i][j]` is the length of the longest common subsequence of the lines from `i` and from `j` on. */
function lengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i] as number[]
      row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1))
    }
  return table
}
