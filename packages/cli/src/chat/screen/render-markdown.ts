import type { Marked, RendererObject } from 'marked'
import { stripControls } from 'turnbuckle/tools'
import { styled } from '../../text/styled.ts'
import { textColumns, wrapHanging } from '../../text/wrap-text.ts'

type Render = (text: string, width: number) => string

let render: Render | undefined

/** Loads what draws Markdown; until then text is shown as it is. Not needed for the first prompt, so not waited for. */
export async function loadMarkdown(): Promise<void> {
  const [{ Marked: Parser }, { markedTerminal }] = await Promise.all([import('marked'), import('marked-terminal')])
  const byWidth = new Map<number, Marked<string, string>>()
  render = (text, width) => {
    let marked = byWidth.get(width)
    if (!marked) {
      marked = new Parser<string, string>()
      marked.use(markedTerminal({ width, reflowText: true, tab: 2, emoji: false, showSectionPrefix: false }))
      marked.use({ renderer: { table: narrowTable(width) } })
      byWidth.set(width, marked)
    }
    return wrapHanging((marked.parse(text, { async: false }) as string).trimEnd(), width).join('\n')
  }
}

/** A table that is too wide for the screen is a list: each row's cells under each other, with their names. */
const narrowTable = (width: number): NonNullable<RendererObject<string, string>['table']> =>
  function ({ header, rows }) {
    const columns = header.map(({ text }, i) =>
      Math.max(...[text, ...rows.map(row => row[i]?.text ?? '')].map(textColumns)),
    )
    if (columns.reduce((sum, own) => sum + own + 3, 1) <= width) return false
    const cell = (name: string, text: string) => `${styled('bold', name)}: ${text}`
    const list = rows.map(row =>
      row.map(({ tokens }, i) => cell(header[i]?.text ?? '', this.parser.parseInline(tokens))).join('\n'),
    )
    return `${list.join('\n\n')}\n\n`
  }

/** Foreign text as Markdown for the terminal; control sequences in it are taken out first. */
export function renderMarkdown(text: string, width: number): string {
  const clean = stripControls(text)
  if (!render || !clean.trim()) return clean
  try {
    return render(clean, Math.max(20, width))
  } catch {
    return clean
  }
}

/** The last lines, so that what grows never scrolls away what is below it. */
export function lastLines(text: string, lines: number): string {
  const all = text.split('\n')
  return all.length > lines ? ['…', ...all.slice(-lines)].join('\n') : text
}
