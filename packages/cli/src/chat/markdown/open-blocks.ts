import { hiddenMark } from './hidden-mark.ts'

/** A list item or a quote that goes on over lines. */
interface Container {
  /** The mark, with the space around it: `- `, `  12. `, `> `. */
  readonly mark: string
  readonly isQuote: boolean
}

/** A line of Markdown source, and what is open where it begins. */
export interface SourceLine {
  readonly start: number
  /** Items and quotes that the line goes on with. */
  readonly around: readonly Container[]
  /** The same, and those that the line begins. */
  readonly within: readonly Container[]
  /** The line that has opened the code block which this line is in. */
  readonly fence: string | undefined
  /** Where the words begin of the paragraph which this line is part of. */
  readonly paragraph: number | undefined
}

const quote = /^ {0,3}> ?/
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)| *$)/
const opensCode = /^ {0,3}(?:`{3,}[^`]*|~{3,}.*)$/

/** Reads items, quotes, code and paragraphs line by line. The rules are simpler than Markdown's: whoever cuts draws both parts and compares. */
export function readBlocks(source: string): readonly SourceLine[] {
  const lines: SourceLine[] = []
  let open: Open = { within: [], fence: undefined, paragraph: undefined }
  let start = 0
  for (const line of source.split('\n')) {
    const [around, inside] = goneOnWith(open.within, line)
    const isLess = around.length < open.within.length
    const fence = isLess ? undefined : open.fence
    const [begun, words] = fence === undefined ? begunIn(inside) : [[], inside]
    const within = [...around, ...begun]
    const isText = fence === undefined && words.trim() !== '' && !opensCode.test(words)
    const goesOn = isLess || begun.length ? undefined : open.paragraph
    const paragraph = isText ? (goesOn ?? start + line.length - words.trimStart().length) : undefined
    lines.push({ start, around, within, fence, paragraph })
    open = { within, fence: fenceAfter(words, fence), paragraph }
    start += line.length + 1
  }
  return lines
}

/** What is open behind a line. */
type Open = Pick<SourceLine, 'within' | 'fence' | 'paragraph'>

/** The line that has opened the code block behind a line. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  if (fence === undefined) return opensCode.test(line) ? line : undefined
  return closes(line, fence) ? undefined : fence
}

const closes = (line: string, fence: string): boolean => {
  const [mark = ''] = /[`~]+/.exec(fence) ?? []
  return /^ {0,3}[`~]+\s*$/.test(line) && line.trim().startsWith(mark)
}

/** Containers that a line goes on with, and what it has inside of them. */
function goneOnWith(containers: readonly Container[], line: string): [readonly Container[], string] {
  let rest = line
  for (const [i, { mark, isQuote }] of containers.entries()) {
    if (!isQuote && !rest.trim()) continue
    const begin = isQuote ? quote.exec(rest)?.[0] : rest.startsWith(' '.repeat(mark.length)) ? mark : undefined
    if (begin === undefined) return [containers.slice(0, i), rest]
    rest = rest.slice(begin.length)
  }
  return [containers, rest]
}

/** Containers that begin in a line, and the words after their marks. */
function begunIn(line: string): [readonly Container[], string] {
  const begun: Container[] = []
  let rest = line
  for (;;) {
    const isQuote = quote.test(rest)
    const found = (isQuote ? quote : item).exec(rest)?.[0]
    if (!found) return [begun, rest]
    begun.push({ mark: found.endsWith(' ') ? found : `${found} `, isQuote })
    rest = rest.slice(found.length)
  }
}

/** What goes on with containers at the beginning of a line. */
export const continued = (containers: readonly Container[]): string =>
  containers.map(({ mark, isQuote }) => (isQuote ? '> ' : ' '.repeat(mark.length))).join('')

/** Opens items without anything that is drawn, a line each. A quote begins with the line that has something in it. */
export const hiddenItems = (containers: readonly Container[]): string =>
  containers
    .map(({ mark, isQuote }, i) => (isQuote ? '' : `${continued(containers.slice(0, i))}${mark}${hiddenMark}\n`))
    .join('')

/** Opens containers with a hidden line of a paragraph, behind which a line of its own follows. */
export const hiddenParagraph = (containers: readonly Container[]): string => {
  const isQuoted = containers.at(-1)?.isQuote
  const begun = isQuoted
    ? `${hiddenItems(containers)}${continued(containers)}${hiddenMark}`
    : hiddenItems(containers).trimEnd()
  return containers.length ? `${begun}\\\n${continued(containers)}` : ''
}
