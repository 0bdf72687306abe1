import type { Token, Tokens } from 'marked'
import { paint } from '../../text/theme.ts'
import { wrapHanging, wrapText } from '../../text/wrap-text.ts'
import { isHidden } from './hidden-mark.ts'
import { highlightCode } from './highlight-code.ts'
import { inlineText } from './inline-text.ts'
import { tableLines } from './table-lines.ts'

/** Blocks as lines of at most `width` columns, a blank line between two. */
export function blockLines(tokens: readonly Token[], width: number, tight = false): readonly string[] {
  const blocks = tokens.filter(({ type }) => type !== 'space' && type !== 'def' && type !== 'checkbox')
  return blocks.flatMap((token, i) => {
    const lines = linesOf(token, width)
    return i > 0 && !tight && lines.length ? ['', ...lines] : lines
  })
}

function linesOf(token: Token, width: number): readonly string[] {
  switch (token.type) {
    case 'heading':
      return wrapHanging(paint('heading', inlineText(token.tokens)), width)
    case 'code':
      return codeLines(token as Tokens.Code, width)
    case 'list':
      return listLines(token as Tokens.List, width)
    case 'table':
      return tableLines(token as Tokens.Table, width)
    case 'blockquote':
      return blockLines(token.tokens ?? [], width - 2).map(line => `${paint('quiet', '│')} ${line}`)
    case 'hr':
      return [paint('quiet', '─'.repeat(Math.min(width, 40)))]
    case 'html':
      return wrapHanging(paint('quiet', token.text.trimEnd()), width)
    default:
      return wrapHanging(inlineText('tokens' in token ? token.tokens : [token]).trimEnd(), width).map(line =>
        line.trimEnd(),
      )
  }
}

function codeLines({ text, lang = '' }: Tokens.Code, width: number): readonly string[] {
  const [language = ''] = lang.split(/[\s{,]/)
  return highlightCode(text.replaceAll('\t', '    '), language)
    .filter(line => !isHidden(line))
    .flatMap(line => wrapText(line, width - 2).map(row => `  ${row}`))
}

/** A list is tight unless its items have blank lines between them. */
function listLines({ ordered, start, loose, items }: Tokens.List, width: number): readonly string[] {
  const last = ordered ? String(Number(start) + items.length - 1).length + 1 : 1
  return items.flatMap((item, i) => {
    const bullet = ordered ? `${Number(start) + i}.`.padStart(last) : '•'
    const mark = item.task ? `${bullet} ${item.checked ? paint('good', '☑') : '☐'}` : bullet
    const indent = last + 1 + (item.task ? 2 : 0)
    const lines = blockLines(item.tokens, Math.max(10, width - indent), !item.loose)
    const shown = (lines.length ? lines : ['']).map((line, at) =>
      at ? (line ? `${' '.repeat(indent)}${line}` : '') : `${mark} ${line}`,
    )
    return loose && i > 0 ? ['', ...shown] : shown
  })
}
