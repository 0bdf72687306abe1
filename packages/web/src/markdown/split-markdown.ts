import { lineEnd, splitFences } from './outside-code.ts'

/** Characters that a section has at least, unless it is the last of its message. */
const enough = 2000
/** Characters after which a section ends even inside of a list or paragraph. */
const most = 8000

/** Lines that belong to what stands above the blank line before them: an item of a list, or an indented block. */
const goesOn = /^(?:[ \t]{2,}|\t|[-*+] |\d+[.)] )/

/**
 * Cuts a message's Markdown into sections that are parsed and drawn one by one. Text that is appended changes only
 * the last section, so that a growing reply is not parsed from its beginning with each delta. A fenced block of code
 * is never cut; one that is in no list or quotation is a section of its own.
 */
export function splitMarkdown(text: string): string[] {
  const sections: string[] = []
  let section = ''
  const cut = () => {
    if (section.trim()) sections.push(section)
    section = ''
  }
  for (const run of splitFences(text)) {
    if (run.code) {
      const alone = /^[`~]/.test(run.text)
      if (alone) cut()
      section += run.text
      if (alone) cut()
      continue
    }
    for (let at = 0; at < run.text.length; ) {
      const next = Math.min(lineEnd(run.text, at), at + most)
      const line = run.text.slice(at, next)
      if (isBoundary(section, line)) cut()
      section += line
      at = next
    }
  }
  cut()
  return sections
}

function isBoundary(section: string, line: string): boolean {
  if (section.length < enough) return false
  const paragraphEnds = /\n[ \t]*\n$/.test(section.slice(-200))
  if (paragraphEnds && line.trim() && !goesOn.test(line)) return true
  // A table keeps its rows together: without its header a row would be text.
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
