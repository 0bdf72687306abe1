import type { Token } from 'marked'
import { cleanText } from '../../text/clean-text.ts'
import { wrapHanging } from '../../text/wrap-text.ts'
import { blockLines } from './block-lines.ts'
import { isHidden, withoutHidden, withoutMark } from './hidden-mark.ts'
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

/** Our own Markdown around a part of a text, so that the part is read as it was in the whole. */
export interface AroundPart {
  readonly opening?: string
  readonly closing?: string
}

/** Foreign text as Markdown, in lines for the terminal. As it is where the parser is not loaded. */
export function renderMarkdown(
  text: string,
  width: number,
  { opening = '', closing = '' }: AroundPart = {},
): readonly string[] {
  const clean = withoutMark(cleanText(text))
  if (!clean.trim()) return []
  try {
    // Emphasis ends behind a word.
    const begin = closing && !isHidden(closing) ? clean.trimEnd() : clean
    return lex ? withoutHidden(blockLines(lex(opening + begin + closing), width)) : wrapHanging(clean, width)
  } catch {
    return wrapHanging(clean, width)
  }
}

/** The blocks of a text, without the space between them. None where the parser is not loaded. */
export const markdownBlocks = (text: string): readonly Token[] =>
  lex ? lex(text).filter(({ type }) => type !== 'space') : []

/**
 * Number of characters at the beginning of a growing text that stand for whole blocks: a block may change until the
 * next one has begun. `opening`: what an earlier cut has the text begin with.
 */
export function finishedLength(text: string, opening = ''): number {
  if (!lex) return 0
  const tokens: Token[] = lex(opening + text)
  const last = tokens.findLastIndex(({ type }) => type !== 'space')
  const finished = tokens.slice(0, last).map(({ raw }) => raw)
  // The parser normalises line ends and tabs: where it has, characters cannot be counted.
  const whole = finished.join('')
  return (opening + text).startsWith(whole) ? Math.max(0, whole.length - opening.length) : 0
}
