import { isRecord } from './hook-handler.ts'
import { readYaml } from './read-yaml.ts'

/** A Markdown file with the settings at its head. */
export interface FrontMatter {
  /** Texts and lists of texts by name. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>
  /** The value below `hooks`. */
  readonly hooks?: unknown
  readonly body: string
}

/** Reads the part of YAML that heads of Claude's files use: `key: text`, quoted texts, `[a, b]`, lists of `- a`, and folded or kept lines. */
export function readFrontMatter(text: string): FrontMatter {
  const [whole, head] = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  if (whole === undefined) return { fields: {}, body: text.trim() }
  const fields: [string, string | readonly string[]][] = []
  let hooks: unknown
  for (const { key, value, below } of entriesOf(head ?? '')) {
    const read = readValue(value.trim(), below)
    if (key === 'hooks') hooks = readYaml([`hooks: ${value}`, ...below].join('\n'))
    else if (read !== undefined) fields.push([key, read])
  }
  return {
    fields: Object.fromEntries(fields),
    hooks: isRecord(hooks) ? hooks.hooks : undefined,
    body: text.slice(whole.length).trim(),
  }
}

/** The keys of a head, with the rest of their lines and the lines below that stand further in. */
function* entriesOf(head: string): Generator<{ key: string; value: string; below: readonly string[] }> {
  const lines = head.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const [, key, value = ''] = /^([\w-]+):(?:\s+(.*))?$/.exec(lines[at] ?? '') ?? []
    if (key === undefined) continue
    const below: string[] = []
    while (/^(\s+|-\s|$)/.test(lines[at + 1] ?? 'x')) below.push(lines[++at] ?? '')
    yield { key, value, below }
  }
}

function readValue(value: string, below: readonly string[]): string | readonly string[] | undefined {
  if (/^[|>][+-]?$/.test(value))
    return below
      .map(line => line.trim())
      .join(value.startsWith('|') ? '\n' : ' ')
      .trim()
  if (value.startsWith('[') && value.endsWith(']')) return split(value.slice(1, -1))
  if (value !== '') return [unquoted(value.replace(/\s+#.*$/, '')), ...below.map(line => line.trim())].join(' ').trim()
  const items = below.filter(line => line.trim() !== '')
  if (!items.length) return ''
  return items.every(line => /^\s*-\s+[^:]+$/.test(line))
    ? items.map(line => unquoted(line.replace(/^\s*-\s+/, '').trim()))
    : undefined
}

/** The names of a list that is written with commas, or as a list. */
export const namesIn = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? split(value) : value

const split = (text: string): string[] =>
  // A comma inside parentheses belongs to a rule: Bash(git *, npm *).
  (text.match(/(?:\([^)]*\)|[^,()])+/g) ?? []).map(name => unquoted(name.trim())).filter(Boolean)
const unquoted = (text: string): string => text.replace(/^(["'])([\s\S]*)\1$/, '$2')
