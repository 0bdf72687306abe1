const fenceLine = /^(?:[ \t]|>|[-*+] |\d+[.)] )*(`{3,}|~{3,})(.*)$/

/** A run of lines of a message's Markdown: a fenced block of code with its fences, or text between such blocks. */
export interface Run {
  readonly code: boolean
  readonly text: string
}

/** Cuts Markdown into fenced code and the text between. Their texts, put together, are the Markdown. */
export function splitFences(text: string): Run[] {
  const runs: Run[] = []
  let start = 0
  let fence = ''
  const cut = (end: number) => {
    if (end > start) runs.push({ code: fence !== '', text: text.slice(start, end) })
    start = end
  }
  for (let at = 0; at < text.length; ) {
    const next = lineEnd(text, at)
    const [, marks = '', rest = ''] = fenceLine.exec(text.slice(at, next).trimEnd()) ?? []
    if (!fence && marks && !(marks[0] === '`' && rest.includes('`'))) {
      cut(at)
      fence = marks
    } else if (fence && marks.startsWith(fence) && !rest.trim()) {
      cut(next)
      fence = ''
    }
    at = next
  }
  cut(text.length)
  return runs
}

/** Index after the line break that ends the line at `from`. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

const codeSpan = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g

/** Changes the text of a message's Markdown and leaves fenced blocks and `code spans` as they are. */
export function changeOutsideCode(text: string, change: (text: string) => string): string {
  return splitFences(text)
    .map(run =>
      run.code
        ? run.text
        : run.text
            .split(/(\n[ \t]*\n)/)
            .map(changeParagraph)
            .join(''),
    )
    .join('')

  function changeParagraph(paragraph: string): string {
    if (!paragraph.includes('`')) return change(paragraph)
    let [changed, last] = ['', 0]
    for (const span of paragraph.matchAll(codeSpan)) {
      changed += change(paragraph.slice(last, span.index)) + span[0]
      last = span.index + span[0].length
    }
    return changed + change(paragraph.slice(last))
  }
}
