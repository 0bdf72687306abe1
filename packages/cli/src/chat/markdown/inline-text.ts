import type { Token } from 'marked'
import { cleanText } from '../../text/clean-text.ts'
import { styled } from '../../text/styled.ts'
import { paint } from '../../text/theme.ts'
import { withoutMark } from './hidden-mark.ts'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** `&lt;` as one reads it; names that a terminal's text hardly has stay as they are. */
const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0x1f && code < 0x110000 && !(code > 0x7e && code < 0xa0)
      ? withoutMark(String.fromCodePoint(code))
      : whole
  })

/** Text that can be clicked where the terminal knows links (OSC 8). Its address follows where it says something else. */
function link(text: string, href: string): string {
  const shown = paint('link', text)
  const address = /^mailto:/.test(href) ? href.slice('mailto:'.length) : href
  const said = text === address ? '' : ` ${paint('quiet', `(${address})`)}`
  // A link's address may have nothing but printable characters: all others end the sequence too early.
  const url = /^https?:\/\//.test(href) ? encodeURI(href).replace(/%25/g, '%') : ''
  return url && /^[!-~]+$/.test(url) ? `\x1b]8;;${url}\x1b\\${shown}\x1b]8;;\x1b\\${said}` : `${shown}${said}`
}

/** A text of a token, cleaned again: the parser makes characters of entities, and `&#27;` is one that drives the terminal. */
const shownText = (text: string): string => cleanText(decode(text))

/** Inline tokens as text with colours. A line break inside a paragraph is a space. */
export const inlineText = (tokens: readonly Token[] = []): string => tokens.map(inlineToken).join('')

function inlineToken(token: Token): string {
  switch (token.type) {
    case 'strong':
      return styled('bold', inlineText(token.tokens))
    case 'em':
      return styled('italic', inlineText(token.tokens))
    case 'del':
      return styled('strikethrough', inlineText(token.tokens))
    case 'codespan':
      return paint('code', cleanText(token.text))
    case 'link':
      return link(inlineText(token.tokens), cleanText(token.href))
    case 'image':
      return link(`[image ${cleanText(token.text || token.href)}]`, cleanText(token.href))
    case 'br':
      return '\n'
    case 'checkbox':
      return ''
    case 'html':
      // In a cell of a table there is no other way to write a line break.
      return /^<br *\/?>$/i.test(token.raw) ? '\n' : shownText(token.raw).replace(/\n/g, ' ')
    default:
      return 'tokens' in token && token.tokens
        ? inlineText(token.tokens)
        : shownText('text' in token ? String(token.text) : token.raw).replace(/\n/g, ' ')
  }
}
