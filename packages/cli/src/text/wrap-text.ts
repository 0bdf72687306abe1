// biome-ignore-all lint/suspicious/noControlCharactersInRegex: colours and links

/** Colours, weights and links: they take no column. */
const style = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g
const pieces = /\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\|./gsu
const plain = '\x1b[0m'
const linkEnd = '\x1b]8;;\x1b\\'
const ascii = /^[ -~]*$/
const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
/** Characters of no width, without U+FE0F: that makes an emoji of a character, two columns wide. */
const none = /(?!\ufe0f)[\p{Mn}\p{Me}\p{Cf}]/u

const columnsOfOne = (char: string): number => (char < '\u0300' ? 1 : wide.test(char) ? 2 : none.test(char) ? 0 : 1)

/** Columns that a text takes on the screen, colours aside. */
export const textColumns = (text: string): number =>
  ascii.test(text) ? text.length : [...text.replace(style, '')].reduce((sum, char) => sum + columnsOfOne(char), 0)

/** A coloured text, cut to so many columns with `…` at its end. */
export function cutText(text: string, columns: number): string {
  if (textColumns(text) <= columns) return text
  const [first = ''] = wrapLine(text, Math.max(1, columns - 1), undefined, false)
  return `${first}…${first.includes('\x1b') ? plain : ''}`
}

/** Text in lines of at most so many columns, nothing left out, between words where that is possible. */
export const wrapText = (text: string, columns: number): readonly string[] =>
  text.split('\n').flatMap(line => wrapLine(line, columns))

/** Wraps text that may have colours. Lines that continue a list item or an indented line are indented as far as it. */
export const wrapHanging = (text: string, columns: number): readonly string[] =>
  text.split('\n').flatMap(line => {
    const [begin = ''] = /^\s*(?:[*•-]\s+|\d+\.\s+)?/.exec(line.replace(style, '')) ?? []
    return wrapLine(line, columns, ' '.repeat(Math.min(begin.length, Math.floor(columns / 2))))
  })

function wrapLine(line: string, columns: number, indent?: string, words = true): readonly string[] {
  if (line.length <= columns && ascii.test(line)) return [line]
  const lines: string[] = []
  let current = ''
  let width = 0
  for (const [piece] of line.matchAll(pieces)) {
    const own = piece.startsWith('\x1b') ? 0 : columnsOfOne(piece)
    if (width + own > columns) {
      // Hanging text loses the space at which it is cut; other text keeps it, at the end of a line.
      const isLost = piece === ' ' && indent !== undefined
      const [whole, rest] = words && !isLost ? cut(current) : [current, '']
      lines.push(ended(whole))
      current = goesOn(whole, rest, indent)
      width = textColumns(current)
      if (isLost) continue
    }
    current += piece
    width += own
  }
  return [...lines, current]
}

/** Cuts a line before its last word, unless that is more than half of the line. */
function cut(line: string): readonly [whole: string, rest: string] {
  const words = line.lastIndexOf(' ') + 1
  const end = textColumns(line.slice(0, words)) > textColumns(line) / 2 ? words : line.length
  return [line.slice(0, end), line.slice(end)]
}

/** A colour and a link end with their line, and begin again in the next. */
const ended = (line: string): string =>
  line.includes('\x1b') ? `${line}${openLink(line) ? linkEnd : ''}${plain}` : line

const openLink = (line: string): string => {
  const [last = linkEnd] = line.match(/\x1b\]8;;[^\x1b]*\x1b\\/g)?.slice(-1) ?? []
  return last === linkEnd ? '' : last
}

const goesOn = (whole: string, rest: string, indent = ''): string => indent + openStyles(whole) + openLink(whole) + rest

/** Codes that end a colour or a weight, and those that they end. */
const ends: Readonly<Record<string, RegExp>> = {
  22: /^[12]$/,
  23: /^3$/,
  24: /^4$/,
  27: /^7$/,
  29: /^9$/,
  39: /^(?:3[0-8]|9\d)/,
  49: /^(?:4[0-8]|10\d)/,
}

/** Colours and weights that go on at the end of a line, in the order in which they began. */
function openStyles(line: string): string {
  let open: readonly string[] = []
  for (const [style, code = ''] of line.matchAll(/\x1b\[([\d;]*)m/g)) {
    const ended = ends[code]
    if (style === plain) open = []
    else open = ended ? open.filter(begun => !ended.test(begun)) : [...open, code]
  }
  return open.map(code => `\x1b[${code}m`).join('')
}
