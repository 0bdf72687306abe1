import { stripVTControlCharacters } from 'node:util'
import type { Token, Tokens } from 'marked'
import { inlineText } from './inline-text.ts'
import { markdownBlocks, renderMarkdown } from './render-markdown.ts'

/** A place in a growing block: what is before it can be printed, what comes after it is drawn as a text of its own. */
export interface BlockCut {
  /** Characters before it. */
  readonly length: number
  /** What the rest has to begin with to be read as before: the line that opens a code block. */
  readonly opening: string
  /** True where a blank line is drawn between the two. */
  readonly isApart: boolean
}

/** A place that may do. */
type Place = Pick<BlockCut, 'length' | 'opening'>

/**
 * The last place where a growing block of Markdown can be cut without a trace: its lines are those of the two parts, and what
 * is still to be written does not change those of the first. Undefined where there is none, as in a table: each row may make its columns wider.
 */
export function cutBlock(text: string, width: number): BlockCut | undefined {
  const [block, ...more] = markdownBlocks(text)
  if (!block || more.length || !text.startsWith(block.raw)) return undefined
  const whole = renderMarkdown(text, width)
  // A paragraph is cut where no colour is open; only code has colours that depend on what is before.
  const drawn = (lines: readonly string[]) =>
    block.type === 'code' ? lines.join('\n') : lines.map(line => stripVTControlCharacters(line).trimEnd()).join('\n')
  for (const place of placesIn(block, whole)) {
    const head = renderMarkdown(text.slice(0, place.length), width)
    const rest = renderMarkdown(place.opening + text.slice(place.length), width)
    const isApart = whole.length > head.length + rest.length
    const parts = [...head, ...(isApart ? [''] : []), ...rest]
    if (head.length && rest.length && drawn(parts) === drawn(whole)) return { ...place, isApart }
  }
  return undefined
}

/** Each place is drawn to see whether it does: a block has only its last few tried. */
const tries = 3

function placesIn(block: Token, lines: readonly string[]): readonly Place[] {
  switch (block.type) {
    case 'paragraph':
      return lineEnds(block as Tokens.Paragraph, lines)
    case 'code':
      return lineStarts(block.raw, /^ {0,3}(?:`{3,}|~{3,}).*\n/.exec(block.raw)?.[0])
    case 'blockquote':
      return lineStarts(block.raw)
    case 'list':
      return itemStarts(block as Tokens.List)
    default:
      return []
  }
}

/** Where the drawn lines of a paragraph end, as far as the next one begins with a word: a number or a mark could begin a list. */
function lineEnds({ raw, tokens }: Tokens.Paragraph, lines: readonly string[]): readonly Place[] {
  const places = characterEnds(tokens)
  const ends: number[] = []
  let drawn = 0
  for (const line of lines.slice(0, -1)) {
    drawn += visible(line).length
    const end = places[drawn - 1]
    if (end !== undefined) ends.push(end + (/^\s*/.exec(raw.slice(end))?.[0].length ?? 0))
  }
  const words = ends.filter(length => /^[\p{L}"'“„«(]/u.test(raw.slice(length)))
  return words
    .slice(-tries)
    .reverse()
    .map(length => ({ length, opening: '' }))
}

/** A mark that words to come can make the beginning of code, a link or emphasis. */
const opener = /[`\\]|\[(?![^[\]]*\](?!$|[([]))|[*~](?!\s)|(?<!\w)_(?!\s)|<(?=[a-z/!])/i

/** The place after each visible character of a paragraph, up to the first mark that is open; undefined inside of links, emphasis and code. */
function characterEnds(tokens: readonly Token[]): readonly (number | undefined)[] {
  const ends: (number | undefined)[] = []
  let at = 0
  for (const token of tokens) {
    const shown = visible(inlineText([token]))
    const isPlain = token.type === 'text' && shown === visible(token.raw)
    const open = token.type === 'text' ? token.raw.search(opener) : -1
    const text = isPlain ? token.raw.slice(0, open < 0 ? undefined : open) : ''
    const plain = Array.from(text.matchAll(/\S/g), ({ index }) => at + index + 1)
    if (open >= 0) return [...ends, ...plain]
    at += token.raw.length
    ends.push(...(isPlain ? plain : onlyLast(shown.length, at)))
  }
  return ends
}

/** The place after the last of so many characters; undefined for the others. */
const onlyLast = (count: number, place: number): readonly (number | undefined)[] =>
  Array.from({ length: count }, (_, i) => (i === count - 1 ? place : undefined))

const visible = (text: string): string => stripVTControlCharacters(text).replace(/\s/g, '')

/** Where source lines begin. The fence that ends code is no line of it, nor is a part of that fence. */
function lineStarts(raw: string, opening = ''): readonly Place[] {
  const starts = Array.from(raw.matchAll(/\n/g), ({ index }) => index + 1)
  const inside = starts.filter(length => length > opening.length && /[^\s`~]/.test(raw.slice(length)))
  return inside
    .slice(-tries)
    .reverse()
    .map(length => ({ length, opening }))
}

function itemStarts({ items }: Tokens.List): readonly Place[] {
  let length = 0
  const starts = items.map(({ raw }) => {
    length += raw.length
    return length - raw.length
  })
  return starts
    .slice(1)
    .slice(-tries)
    .reverse()
    .map(start => ({ length: start, opening: '' }))
}
