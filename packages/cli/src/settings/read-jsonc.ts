import { UserError } from '../errors/user-error.ts'

/** A value, and the line on which each key of it stands. */
export interface JsoncDocument {
  readonly value: unknown
  /** `['tools', 'shell']` → 4. The nearest key that is known, where this one is not. */
  line(path: readonly string[]): number | undefined
}

/** Reads JSON with comments and trailing commas. Throws a `UserError` that names the line. */
export function readJsonc(text: string, file: string): JsoncDocument {
  const reader = new JsoncReader(text.replace(/^\uFEFF/, ''), file)
  const value = reader.document()
  return {
    value,
    line(path) {
      for (let length = path.length; length > 0; length--) {
        const line = reader.lines.get(JSON.stringify(path.slice(0, length)))
        if (line !== undefined) return line
      }
      return undefined
    },
  }
}

const literal = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const quoted = /"(?:[^"\\\n]|\\.)*"/y
const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y

class JsoncReader {
  readonly lines: Map<string, number> = new Map()
  readonly #text: string
  readonly #file: string
  #at = 0

  constructor(text: string, file: string) {
    this.#text = text
    this.#file = file
  }

  document(): unknown {
    const value = this.#value([])
    this.#skip()
    if (this.#at < this.#text.length) throw this.#wrong('nothing after the closing bracket')
    return value
  }

  #value(path: readonly string[]): unknown {
    this.#skip()
    const next = this.#text[this.#at]
    if (next === '{') return this.#object(path)
    if (next === '[') return this.#array(path)
    const token = this.#match(next === '"' ? quoted : literal)
    if (token === undefined) throw this.#wrong('a value')
    try {
      return JSON.parse(token)
    } catch {
      throw this.#wrong('a valid text')
    }
  }

  #object(path: readonly string[]): unknown {
    const entries: [string, unknown][] = []
    this.#list('}', () => {
      const line = this.#line()
      const key = this.#match(quoted)
      if (key === undefined) throw this.#wrong('a key in double quotes')
      const inner = [...path, JSON.parse(key) as string]
      if (this.lines.has(JSON.stringify(inner))) throw new UserError(`${this.#file}:${line}: ${key} is there twice.`)
      this.lines.set(JSON.stringify(inner), line)
      this.#skip()
      if (this.#text[this.#at++] !== ':') throw this.#wrong('":" after the key', -1)
      entries.push([inner.at(-1) ?? '', this.#value(inner)])
    })
    return Object.fromEntries(entries)
  }

  #array(path: readonly string[]): unknown {
    const items: unknown[] = []
    this.#list(']', () => {
      const inner = [...path, String(items.length)]
      this.lines.set(JSON.stringify(inner), this.#line())
      items.push(this.#value(inner))
    })
    return items
  }

  #list(close: string, item: () => void): void {
    this.#at++
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === close) break
      item()
      this.#skip()
      if (this.#text[this.#at] === ',') this.#at++
      else if (this.#text[this.#at] !== close) throw this.#wrong(`"," or "${close}"`)
    }
    this.#at++
  }

  #skip(): void {
    this.#match(blank)
  }
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }
  #line(): number {
    return this.#text.slice(0, this.#at).split('\n').length
  }
  #wrong(expected: string, back = 0): UserError {
    this.#at += back
    const found = this.#text[this.#at]
    return new UserError(
      `${this.#file}:${this.#line()}: expected ${expected}, found ${found === undefined ? 'the end' : JSON.stringify(found)}.`,
    )
  }
}
