import type { Marked } from 'marked'
import { stripControls } from 'turnbuckle/tools'

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
      byWidth.set(width, marked)
    }
    return (marked.parse(text, { async: false }) as string).trimEnd()
  }
}

/** Foreign text as Markdown for the terminal; control sequences in it are taken out first. */
export function markdown(text: string, width: number): string {
  const clean = stripControls(text)
  if (!render || !clean.trim()) return clean
  try {
    return render(clean, Math.max(20, width))
  } catch {
    return clean
  }
}

/** The last lines, so that what grows never scrolls away what is below it. */
export function tail(text: string, lines: number): string {
  const all = text.split('\n')
  return all.length > lines ? ['…', ...all.slice(-lines)].join('\n') : text
}
