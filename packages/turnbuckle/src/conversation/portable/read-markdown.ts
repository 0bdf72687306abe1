import type { Part, ResultPart, Role } from '../../core/base/message.ts'
import { mapLines, markdownMark, roles, type Said, thought } from './markdown-mark.ts'
import { notImportable } from './not-importable.ts'

const heading = /^## (System|User|Assistant|Tool)( \(interrupted\))?$/
const calls = /^Calls `([^`]*)`:$/
const gave = /^`([^`]*)` \((\w+)\):$/

const unescaped = (text: string): string =>
  mapLines(text, line => (line.startsWith('\\') && markdownMark.test(line) ? line.slice(1) : line))

/** Reads the messages of a Markdown file. Files and sources come back as the words that stand for them, call ids are new. */
export function readMarkdown(text: string): { readonly title: string | undefined; readonly path: readonly Said[] } {
  const reader = new Reader(text.replace(/\n$/, '').split('\n'))
  const title = reader.title()
  const path = reader.messages()
  if (path.length) return { title, path }
  throw notImportable(
    'the file is no conversation that Turnbuckle exported: it is neither JSON nor does it begin with a heading like "## User"',
  )
}

class Reader {
  readonly #lines: readonly string[]
  #at = 0
  #calls = 0
  /** Calls that have no result yet. */
  #open: { readonly id: string; readonly name: string }[] = []

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get #line(): string | undefined {
    return this.#lines[this.#at]
  }

  title(): string | undefined {
    while (this.#line === '') this.#at++
    if (!this.#line?.startsWith('# ')) return undefined
    return (this.#lines[this.#at++] as string).slice(2).trim() || undefined
  }

  messages(): Said[] {
    const path: Said[] = []
    while (this.#line === '') this.#at++
    for (let found = heading.exec(this.#line ?? ''); found; found = heading.exec(this.#line ?? '')) {
      this.#at++
      const [, name = '', interrupted] = found
      const content = this.#parts()
      path.push({ role: roles[name] as Role, content, ...(interrupted ? { interrupted: true } : {}) })
    }
    return path
  }

  /** The parts of a message: the lines up to the next heading. Between two parts is an empty line. */
  #parts(): Part[] {
    const parts: Part[] = []
    while (this.#line !== undefined && !heading.test(this.#line)) {
      if (this.#line === '') this.#at++
      const part = this.#marked() ?? this.#text()
      if (part) parts.push(part)
    }
    return parts
  }

  #marked(): Part | undefined {
    const line = this.#line ?? ''
    if (line === thought) return this.#reasoning()
    const [, called] = calls.exec(line) ?? []
    const [, name, status] = gave.exec(line) ?? []
    if (called === undefined && name === undefined) return undefined
    this.#at++
    const value = this.#fenced()
    return called === undefined
      ? this.#result(name as string, status as ResultPart['status'], value)
      : this.#call(called, value)
  }
  #call(name: string, args: unknown): Part {
    const id = `call_${++this.#calls}`
    this.#open.push({ id, name })
    return { type: 'call', id, name, args }
  }
  #result(name: string, status: ResultPart['status'], value: unknown): Part {
    const call = this.#open.find(open => open.name === name)
    this.#open = this.#open.filter(open => open !== call)
    return { type: 'result', id: call?.id ?? '', name, status, value }
  }

  #reasoning(): Part {
    const from = ++this.#at
    while (this.#line?.startsWith('>')) this.#at++
    const quoted = this.#lines.slice(from, this.#at)
    return { type: 'reasoning', text: quoted.map(line => line.replace(/^> ?/, '')).join('\n') }
  }

  #fenced(): unknown {
    while (this.#line === '') this.#at++
    const [, fence, language] = /^(`{3,})(json)?$/.exec(this.#line ?? '') ?? []
    if (!fence) throw notImportable(`line ${this.#at + 1} should begin what was called with, or given: \`\`\``)
    const from = ++this.#at
    while (this.#line !== undefined && this.#line !== fence) this.#at++
    if (this.#line === undefined) throw notImportable(`what begins at line ${from} has no end`)
    const text = this.#lines.slice(from, this.#at++).join('\n')
    if (!language) return text
    try {
      return JSON.parse(text)
    } catch {
      throw notImportable(`there is no JSON at line ${from + 1}`)
    }
  }

  /** A text part: the lines up to the next mark, without the empty line before it. */
  #text(): Part | undefined {
    const from = this.#at
    while (this.#line !== undefined && !(markdownMark.test(this.#line) && !this.#line.startsWith('\\'))) this.#at++
    const end = this.#lines[this.#at - 1] === '' && this.#line !== undefined ? this.#at - 1 : this.#at
    return end > from ? { type: 'text', text: unescaped(this.#lines.slice(from, end).join('\n')) } : undefined
  }
}
