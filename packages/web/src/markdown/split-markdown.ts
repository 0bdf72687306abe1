import { lineEnd, splitFences } from './outside-code.ts'

/** Characters that a section has at least, unless it is the last of its message. */
const enough = 2000
/** Characters after which a section ends even inside of a list or paragraph. */
const most = 8000
/** Characters of a table after which it goes on in another section: its cells are many elements. */
const mostOfTable = 4000

/** Lines that belong to what stands above the blank line before them: an item of a list, or an indented block. */
const goesOn = /^(?:[ \t]{2,}|\t|[-*+] |\d+[.)] )/

/** The line below a table's header. */
const underHeader = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/**
 * Cuts a message's Markdown into sections that are parsed and drawn one by one. Text that is appended changes only
 * the last section, so that a growing reply is not parsed from its beginning with each delta. A fenced block of code
 * is never cut; one that is in no list or quotation is a section of its own. A long table goes on in the next section
 * under its header, as on the next page of a book.
 */
export function splitMarkdown(text: string): string[] {
  const sections = new Sections()
  for (const run of splitFences(text)) {
    if (run.code) sections.addFence(run.text)
    else
      for (let at = 0; at < run.text.length; ) {
        const next = Math.min(lineEnd(run.text, at), at + most)
        sections.addLine(run.text.slice(at, next))
        at = next
      }
  }
  return sections.end()
}

class Sections {
  readonly #done: string[] = []
  #section = ''
  #lineBefore = ''
  /** The header of the table that the last line belongs to, with the line below it, and where it begins in the section. */
  #table: { readonly header: string; readonly at: number } | undefined

  addFence(block: string): void {
    const alone = /^[`~]/.test(block)
    if (alone) this.#cut()
    this.#section += block
    this.#table = undefined
    if (alone) this.#cut()
  }
  addLine(line: string): void {
    if (!line.trim()) this.#table = undefined
    if (this.#isTableFull(line)) this.#goOnUnderHeader()
    else if (isBoundary(this.#section, line)) this.#cut()
    const header = this.#lineBefore
    if (header.includes('|') && underHeader.test(line.trimEnd()))
      this.#table = { header: header + line, at: this.#section.length - header.length }
    this.#section += line
    this.#lineBefore = line
  }
  end(): string[] {
    this.#cut()
    return this.#done
  }

  #cut(): void {
    if (this.#section.trim()) this.#done.push(this.#section)
    this.#section = ''
    this.#table = undefined
  }
  #isTableFull(row: string): boolean {
    return (
      this.#table !== undefined && row.includes('|') && this.#section.length + row.length - this.#table.at > mostOfTable
    )
  }
  #goOnUnderHeader(): void {
    const header = this.#table?.header ?? ''
    this.#cut()
    this.#section = header
    this.#table = { header, at: 0 }
  }
}

function isBoundary(section: string, line: string): boolean {
  if (section.length < enough) return false
  const paragraphEnds = /\n[ \t]*\n$/.test(section.slice(-200))
  if (paragraphEnds && line.trim() && !goesOn.test(line)) return true
  // A table's rows are cut under their header alone: without it a row would be text.
  return section.length + line.length > most && !/^[ \t]/.test(line) && !/^\s*\|/.test(line)
}

export interface Fence {
  readonly language: string
  readonly code: string
}

/** The code of a section that is one fenced block, also while its end is missing; `undefined` for any other section. */
export function fenceIn(section: string): Fence | undefined {
  const [, marks = '', info = ''] = /^(`{3,}|~{3,})([^\n]*)\n/.exec(section) ?? []
  if (!marks) return undefined
  const inside = section.slice(marks.length + info.length + 1).trimEnd()
  const end = inside.lastIndexOf('\n') + 1
  const closed = inside.slice(end).startsWith(marks) && !inside.slice(end).replaceAll(marks.charAt(0), '')
  const language = /^[\w+#-]*/.exec(info.trim())?.[0] ?? ''
  return { language, code: closed ? inside.slice(0, Math.max(0, end - 1)) : inside }
}
