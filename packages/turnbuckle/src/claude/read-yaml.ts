interface Line {
  readonly indent: number
  readonly text: string
}

/**
 * Reads the part of YAML that heads of Claude's files use below a key: maps, lists, quoted and plain texts, numbers, truth values, `[a, b]`, `{ a: b }`
 * and texts of several lines. Undefined where the lines are none of it.
 */
export function readYaml(text: string): unknown {
  const lines = text.split(/\r?\n/)
  const indented = lines.map(line => ({ indent: line.search(/\S|$/), text: line.trim() }))
  return new YamlReader(indented).read()
}

class YamlReader {
  readonly #lines: readonly Line[]
  #at = 0

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  read(): unknown {
    const first = this.#peek()
    return first && this.#block(first.indent)
  }

  /** The next line that says something. */
  #peek(): Line | undefined {
    while (this.#at < this.#lines.length && /^(#|$)/.test(this.#lines[this.#at]?.text ?? '')) this.#at++
    return this.#lines[this.#at]
  }

  #block(indent: number): unknown {
    return isItem(this.#peek()?.text ?? '') ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = []
    for (let line = this.#peek(); line?.indent === indent && isItem(line.text); line = this.#peek()) {
      const rest = line.text.slice(1).trimStart()
      if (pair.test(rest) && !/^["'[{]/.test(rest)) items.push(this.#map(indent + line.text.length - rest.length, rest))
      else {
        this.#at++
        items.push(this.#value(rest, indent))
      }
    }
    return items
  }

  /** `first`: the first pair, where it stands behind the dash of a list. */
  #map(indent: number, first?: string): Record<string, unknown> {
    const pairs: [string, unknown][] = []
    let said = first
    for (let line = this.#peek(); line; line = this.#peek()) {
      if (said === undefined && line.indent !== indent) break
      const [, key, rest = ''] = pair.exec(said ?? line.text) ?? []
      said = undefined
      if (key === undefined) break
      this.#at++
      pairs.push([String(scalar(key)), this.#value(rest.trim(), indent)])
    }
    // Assigned, the key `__proto__` would hide its members from whoever is shown the map.
    return Object.fromEntries(pairs)
  }

  /** The value behind a key or dash: on its line, or in the lines below that stand further in. */
  #value(said: string, indent: number): unknown {
    const kept = /^([|>])[+-]?\s*(?:#.*)?$/.exec(said)?.[1]
    if (kept !== undefined) return this.#text(indent, kept === '|' ? '\n' : ' ')
    if (said !== '' && !said.startsWith('#')) return scalar(said)
    const next = this.#peek()
    if (next && next.indent > indent) return this.#block(next.indent)
    // A list may stand as far out as its key.
    return next?.indent === indent && isItem(next.text) ? this.#list(indent) : null
  }

  #text(indent: number, joint: string): string {
    const lines: string[] = []
    for (
      let line = this.#lines[this.#at];
      line && (line.text === '' || line.indent > indent);
      line = this.#lines[this.#at]
    ) {
      lines.push(line.text)
      this.#at++
    }
    return lines.join(joint).trim()
  }
}

const pair = /^("[^"]*"|'[^']*'|[^\s:#][^:]*?)\s*:(?:\s+(.*))?$/
const isItem = (text: string): boolean => text === '-' || text.startsWith('- ')

function scalar(written: string): unknown {
  const [quoted] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(written) ?? []
  if (quoted?.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'")
  if (quoted !== undefined) return parsed(quoted) ?? quoted.slice(1, -1)
  const plain = written.replace(/\s+#.*$/, '')
  if (/^[[{]/.test(plain)) return parsed(plain) ?? flow(plain)
  if (/^(true|false)$/.test(plain)) return plain === 'true'
  if (/^(null|~)$/.test(plain)) return null
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : plain
}

/** `[a, b]` and `{ a: b }` with plain words, one level deep. */
function flow(written: string): unknown {
  const items = written
    .slice(1, -1)
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
  if (written.startsWith('[')) return items.map(scalar)
  return Object.fromEntries(
    items.map(item => item.split(/:\s+/, 2)).map(([key = '', value = '']) => [key, scalar(value)]),
  )
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
