interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** A unified diff without a header; empty when nothing differs. */
export function diff(before: string, after: string, context = 3): string {
  if (before === after) return ''
  const lines = compare(split(before), split(after))
  const shown = near(lines, context)
  if (!shown.size) return '@@ the end @@\nonly the last line end differs'
  const out: string[] = []
  let old = 1
  for (const [i, { sign, text }] of lines.entries()) {
    if (shown.has(i)) out.push(...(shown.has(i - 1) ? [] : [`@@ line ${old} @@`]), sign + text)
    if (sign !== '+') old++
  }
  return out.join('\n')
}

/** The places of changed lines and of those around them. */
function near(lines: readonly Line[], context: number): Set<number> {
  const places = new Set<number>()
  for (const [i, { sign }] of lines.entries())
    if (sign !== ' ') for (let place = i - context; place <= i + context; place++) if (place >= 0) places.add(place)
  return places
}

const split = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
const signed =
  (sign: Line['sign']) =>
  (text: string): Line => ({ sign, text })

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  return [
    ...before.slice(0, start).map(signed(' ')),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(signed(' ')),
  ]
}

/** By the longest common subsequence; where that is too much work, all of the old goes and all of the new comes. */
function middle(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > 1_000_000) return [...before.map(signed('-')), ...after.map(signed('+'))]
  const common = commonLengths(before, after)
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length && j < after.length) {
    const line = step(before[i] ?? '', after[j] ?? '', common(i + 1, j) >= common(i, j + 1))
    lines.push(line)
    if (line.sign !== '+') i++
    if (line.sign !== '-') j++
  }
  return [...lines, ...before.slice(i).map(signed('-')), ...after.slice(j).map(signed('+'))]
}

function step(old: string, fresh: string, drop: boolean): Line {
  if (old === fresh) return { sign: ' ', text: old }
  return drop ? { sign: '-', text: old } : { sign: '+', text: fresh }
}

/** The number of lines that the rests from `i` and from `j` have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): (i: number, j: number) => number {
  const width = after.length + 1
  const table = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number) => table[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      table[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  return at
}
