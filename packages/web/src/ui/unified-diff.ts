import type { DiffLine } from './diff-view.tsx'

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'new', '-': 'gone', ' ': 'same' }

/** The lines of a unified diff; `undefined` for any other text. Lines before the first `@@` are kept as they are. */
export function unifiedDiff(text: string): DiffLine[] | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex(line => line.startsWith('@@ '))
  if (first < 0 || first > 3) return undefined
  return lines.map((line, i) => {
    const kind = i < first || line.startsWith('@@ ') ? undefined : kinds[line[0] ?? '']
    return kind ? { kind, text: line.slice(1) } : { kind: 'place', text: line }
  })
}
