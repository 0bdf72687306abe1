import type { Message, Part, ResultPart, Role } from '../core/message.ts'
import { notImportable } from './not-importable.ts'

type Said = Pick<Message, 'role' | 'content' | 'interrupted'>

const roles: Readonly<Record<string, Role>> = { System: 'system', User: 'user', Assistant: 'assistant', Tool: 'tool' }
const nameOf = (role: Role): string => Object.keys(roles).find(name => roles[name] === role) as string

const heading = /^## (System|User|Assistant|Tool)( \(interrupted\))?$/
const calls = /^Calls `([^`]*)`:$/
const gave = /^`([^`]*)` \((\w+)\):$/
const thought = '> **Reasoning**'
/** A line that would be read as one of the marks. In a text it gets one more backslash. */
const mark =
  /^\\*(?:## (?:System|User|Assistant|Tool)(?: \(interrupted\))?|Calls `[^`]*`:|`[^`]*` \(\w+\):|> \*\*Reasoning\*\*)$/

/** A path as Markdown for people. What it shows `readMarkdown` reads again. */
export function writeMarkdown(title: string, path: readonly Said[]): string {
  const sections = path.map(({ role, content, interrupted }) => {
    const cut = interrupted ? ' (interrupted)' : ''
    return `## ${nameOf(role)}${cut}\n\n${content.map(written).join('\n\n')}\n`
  })
  return [`# ${title.replace(/\s+/g, ' ')}\n`, ...sections].join('\n')
}

function written(part: Part): string {
  switch (part.type) {
    case 'text':
      return escaped(part.text)
    case 'reasoning':
      return `${thought}\n${lines(part.text, line => `> ${line}`)}`
    case 'call':
      return `Calls \`${part.name}\`:\n\n${fenced(json(part.args), 'json')}`
    case 'result':
      return `\`${part.name}\` (${part.status}):\n\n${typeof part.value === 'string' ? fenced(part.value) : fenced(json(part.value), 'json')}`
    case 'file':
      return `[file: ${part.name ?? part.mediaType}]`
    case 'source':
      return `[source: ${part.title ?? part.url ?? ''}]`
    default:
      return part satisfies never
  }
}

const json = (value: unknown): string => JSON.stringify(value ?? null, undefined, 2)
const lines = (text: string, change: (line: string) => string): string => text.split('\n').map(change).join('\n')
const escaped = (text: string): string => lines(text, line => (mark.test(line) ? `\\${line}` : line))
const unescaped = (text: string): string =>
  lines(text, line => (line.startsWith('\\') && mark.test(line) ? line.slice(1) : line))

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** What such a file says. Files and sources come back as the words that stand for them, ids are new. */
export function readMarkdown(text: string): { readonly title: string | undefined; readonly path: readonly Said[] } {
  const reader = new Reader(text.replace(/\n$/, '').split('\n'))
  const title = reader.title()
  const path = reader.messages()
  if (path.length) return { title, path }
  throw notImportable('it is neither JSON nor has it a heading like "## User"')
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
    if (this.#line !== undefined) throw notImportable(`line ${this.#at + 1} belongs to no message`)
    return path
  }

  /** Up to the next heading. Between parts is an empty line. */
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

  /** Up to the next mark, without the empty line before it. */
  #text(): Part | undefined {
    const from = this.#at
    while (this.#line !== undefined && !(mark.test(this.#line) && !this.#line.startsWith('\\'))) this.#at++
    const end = this.#lines[this.#at - 1] === '' && this.#line !== undefined ? this.#at - 1 : this.#at
    return end > from ? { type: 'text', text: unescaped(this.#lines.slice(from, end).join('\n')) } : undefined
  }
}
