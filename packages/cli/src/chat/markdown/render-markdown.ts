import type { Token } from 'marked'
import { cleanText } from '../../text/clean-text.ts'
import { wrapHanging } from '../../text/wrap-text.ts'
import { blockLines } from './block-lines.ts'
import { quickLexer } from './quick-lexer.ts'

let lex: ((text: string) => Token[]) | undefined
let loading: Promise<void> | undefined

/** Loads what draws Markdown. Not needed for the first prompt. */
export function loadMarkdown(): Promise<void> {
  loading ??= import('marked').then(marked => {
    lex = quickLexer(marked)
  })
  return loading
}

/** True when a text can be drawn as it is to stay. */
export const isMarkdownLoaded = (text: string): boolean => lex !== undefined || !text.trim()

/** Foreign text as Markdown, in lines for the terminal. As it is where the parser is not loaded. */
export function renderMarkdown(text: string, width: number): readonly string[] {
  const clean = cleanText(text)
  if (!clean.trim()) return []
  try {
    return lex ? blockLines(lex(clean), width) : wrapHanging(clean, width)
  } catch {
    return wrapHanging(clean, width)
  }
}

/** The blocks of a text, without the space between them. None where the parser is not loaded. */
export const markdownBlocks = (text: string): readonly Token[] =>
  lex ? lex(text).filter(({ type }) => type !== 'space') : []

/**
 * Number of characters at the beginning of a growing text that stand for whole blocks: a block may change until the
 * next one has begun.
 */
export function finishedLength(text: string): number {
  if (!lex) return 0
  const tokens: Token[] = lex(text)
  const last = tokens.findLastIndex(({ type }) => type !== 'space')
  const length = tokens.slice(0, last).reduce((sum, { raw }) => sum + raw.length, 0)
  // The parser normalises line ends and tabs: where it has, characters cannot be counted.
  return text.startsWith(
    tokens
      .slice(0, last)
      .map(({ raw }) => raw)
      .join(''),
  )
    ? length
    : 0
}
