import { stripVTControlCharacters } from 'node:util'
import type { Token, Tokens } from 'marked'
import { hiddenMark } from './hidden-mark.ts'
import { continued, hiddenItems, hiddenParagraph, readBlocks, type SourceLine } from './open-blocks.ts'
import { readMarks } from './open-marks.ts'
import { markdownBlocks, renderMarkdown } from './render-markdown.ts'
import { tableRowCuts } from './table-row-cuts.ts'

/** A place in a growing block: what is before it can be printed, what comes after it is drawn as a text of its own. */
export interface BlockCut {
  /** Characters before it. */
  readonly length: number
  /** Ends what is before: emphasis that goes on behind the place. */
  readonly closing: string
  /** What the rest has to begin with to be read as before: the items around it, emphasis, the line that opens a code block. */
  readonly opening: string
  /** True where a blank line is drawn between the two. */
  readonly isApart: boolean
}

/** A place that may do, with what may close and open the parts. */
export type CutPlace = Omit<BlockCut, 'isApart'>

/** A block that grows: its text, below what an earlier cut has it begin with. */
interface GrowingBlock {
  readonly text: string
  readonly opening: string
  readonly width: number
}

/** Drawn lines at whose beginning a cut is tried, from the last. */
const tries = 5

/**
 * The last place where a growing block of Markdown can be cut without a trace: its lines are those of the two parts. What is still to be written does not change
 * those of the first, unless `isLong`: then marks that are open are taken for emphasis. Undefined where there is none.
 */
export function cutBlock(block: GrowingBlock, isLong = false): BlockCut | undefined {
  const { text, opening, width } = block
  const source = opening + text
  const [token, ...more] = markdownBlocks(source)
  if (!token || more.length) return undefined
  const places = placesIn(token, source, isLong).filter(({ length }) => length > opening.length)
  const ending = isLong ? closeMarks(source) : ''
  const whole = renderMarkdown(text, width, { opening, closing: ending })
  const headOf = once(({ length, closing }: CutPlace) =>
    renderMarkdown(source.slice(opening.length, length), width, { opening, closing }),
  )
  const isApartAt = (place: CutPlace): boolean | undefined => {
    const head = headOf(place)
    const rest = renderMarkdown(source.slice(place.length), width, { opening: place.opening, closing: ending })
    const isApart = whole.length > head.length + rest.length
    const parts = [...head, ...(isApart ? [''] : []), ...rest]
    return head.length && rest.length && areSame(parts, whole, token.type === 'code') ? isApart : undefined
  }
  let below = whole.length
  for (let i = 0; i < tries && below > 0; i++) {
    const found = lastWhere(places, place => headOf(place).length < below)
    if (!found) return undefined
    below = headOf(found).length
    // Several places may differ only in what opens the rest.
    for (const place of places.filter(({ length }) => length === found.length)) {
      const isApart = isApartAt(place)
      if (isApart !== undefined) return { ...place, length: place.length - opening.length, isApart }
    }
  }
  return undefined
}

/** Only code has colours that depend on what is before. */
const areSame = (parts: readonly string[], whole: readonly string[], withColours: boolean): boolean => {
  const drawn = (lines: readonly string[]) =>
    withColours ? lines.join('\n') : lines.map(line => stripVTControlCharacters(line).trimEnd()).join('\n')
  return drawn(parts) === drawn(whole)
}

/** The last item for which a condition holds that holds up to some item and for none after it. */
function lastWhere<Item>(items: readonly Item[], holds: (item: Item) => boolean): Item | undefined {
  let [from, to] = [-1, items.length]
  while (to - from > 1) {
    const middle = (from + to) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) from = middle
    else to = middle
  }
  return items[from]
}

/** A function that keeps what it gave for each argument. */
function once<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new Map<From, To>()
  return from => {
    const known = made.get(from) ?? make(from)
    made.set(from, known)
    return known
  }
}

/** Places in the order of the source. */
function placesIn(token: Token, source: string, isLong: boolean): readonly CutPlace[] {
  // The parser changes tabs and line ends, and the space at the end of a list: only of that no place is counted.
  if (!source.startsWith(token.raw.trimEnd())) return []
  if (token.type === 'table') return tableRowCuts(token as Tokens.Table, source)
  if (!/^(?:paragraph|list|blockquote|code)$/.test(token.type)) return []
  const lines = readBlocks(source)
  return lines.flatMap((line, i) => {
    const end = lines[i + 1]?.start ?? source.length
    return [...(i ? atLineStart(source, lines, i) : []), ...insideLine(source, line, end, isLong)]
  })
}

/** Before a source line: of code, of a list or of a quote. */
function atLineStart(source: string, lines: readonly SourceLine[], i: number): readonly CutPlace[] {
  const { start, around, within, fence, paragraph } = lines[i] as SourceLine
  const isBlank = !source.slice(start).split('\n', 1)[0]?.trim()
  const length = start
  const before = hiddenItems(around)
  if (fence !== undefined) {
    // The fence that ends code is no line of it, nor is a part of that fence.
    if (!/[^\s`~]/.test(source.slice(start))) return []
    const opening = `${before}${continued(around)}${fence}\n`
    return [
      { length, closing: '', opening },
      { length, closing: '', opening: opening + hiddenCode(source, lines, i) },
    ]
  }
  if (isBlank || (paragraph !== undefined && paragraph < start)) return []
  const [begun] = within.slice(around.length)
  const closing = begun && !begun.isQuote ? `${continued(around)}${begun.mark}${hiddenMark}` : ''
  // A blank line makes a list loose: only where there was one.
  const isAfterBlank = /\n[ >]*\n$/.test(source.slice(0, start))
  return [{ length, closing, opening: before && isAfterBlank ? `${before}${continued(around)}\n` : before }]
}

/** The lines of a code block up to a line, hidden: a comment or a string may go over them. */
function hiddenCode(source: string, lines: readonly SourceLine[], i: number): string {
  const first = lines.findLastIndex(({ fence }, at) => at < i && fence === undefined) + 1
  const code = source.slice(lines[first]?.start, lines[i]?.start)
  return code.replace(/[^\n]*\n/g, line => `${line.slice(0, -1).replace(hiddenMark, '')}${hiddenMark}\n`)
}

/** Before a word of a paragraph. One that is a number or a mark could begin a list. */
function insideLine(
  source: string,
  { start, within, paragraph }: SourceLine,
  end: number,
  isLong: boolean,
): readonly CutPlace[] {
  if (paragraph === undefined) return []
  const openAt = readMarks(source.slice(paragraph))
  const before = hiddenParagraph(within)
  const from = Math.max(start, paragraph)
  const words = source.slice(from, end).matchAll(/(?<=\s)[*_~`]*[\p{L}"'“„«(]/gu)
  return Array.from(words).flatMap(({ index }) => {
    const length = from + index
    const open = openAt(length - paragraph)
    if (!open || !(open.isSure || isLong)) return []
    const { marks } = open
    return [{ length, closing: marks.toReversed().join(''), opening: before + marks.join('') }]
  })
}

/** Closes the emphasis that is open at the end of a growing block. */
export function closeMarks(source: string): string {
  const { paragraph } = readBlocks(source).at(-1) ?? {}
  if (paragraph === undefined) return ''
  const text = source.slice(paragraph)
  return (readMarks(text)(text.length)?.marks ?? []).toReversed().join('')
}
