/** Emphasis or code that is open at a place of a paragraph, in the order in which it began. */
export interface OpenMarks {
  readonly marks: readonly string[]
  /** False where words to come decide whether it is emphasis, code or a link at all. */
  readonly isSure: boolean
}

interface Span {
  readonly mark: string
  readonly from: number
  /** Undefined while it is open. */
  to: number | undefined
}

/** A mark, a run of backticks, a link that is whole, or the beginning of a link or of a tag. */
const pieces = /\\.|`+|\*{1,3}|_{1,3}|~~|\[[^[\]]*\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\))?|[[<](?=[^\s\d])/gs

/**
 * Reads the marks of a paragraph. Gives what is open at a place; undefined inside of a link, where nothing can be cut. The rules are simpler than Markdown's:
 * whoever cuts draws both parts and compares.
 */
export function readMarks(text: string): (place: number) => OpenMarks | undefined {
  const spans: Span[] = []
  const links: (readonly [from: number, to: number])[] = []
  const doubts: number[] = []
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const end = index + piece.length
    const code = spans.find(({ mark, to }) => to === undefined && mark.startsWith('`'))
    if (code) code.to = piece === code.mark ? end : undefined
    else if (/^[[<]/.test(piece)) {
      links.push([index, end])
      // A link may still get its end, or its address.
      if (piece.length === 1 || end === text.length) doubts.push(index)
    } else if (!piece.startsWith('\\')) readMark(spans, text, piece, index)
  }
  return place => {
    if (links.some(([from, to]) => place > from && place < to)) return undefined
    const before = spans.filter(({ from }) => from < place)
    const open = before.filter(({ to }) => to === undefined || to > place)
    const isSure = doubts.every(doubt => doubt >= place) && before.every(({ to }) => to !== undefined)
    return { marks: open.map(({ mark }) => mark), isSure }
  }
}

function readMark(spans: Span[], text: string, mark: string, from: number): void {
  const end = from + mark.length
  const isCode = mark.startsWith('`')
  const [before, after] = [text[from - 1] ?? ' ', text[end] ?? ' ']
  const isWord = mark.startsWith('_') ? /\w/ : /(?!)/
  const open = spans.findLast(span => span.to === undefined && span.mark === mark)
  if (open && !/\s/.test(before) && !isWord.test(after)) open.to = end
  else if (isCode || (!/\s/.test(after) && !isWord.test(before))) spans.push({ mark, from, to: undefined })
}
