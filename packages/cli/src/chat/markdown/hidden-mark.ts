/**
 * Marks what is read as Markdown and not drawn: a line, an item or a row that the rest of a cut block stands below. No text has this
 * character, which Unicode has reserved for uses such as this one; from foreign text it is taken away.
 */
export const hiddenMark = '\ufdd0'

export const isHidden = (text: string): boolean => text.includes(hiddenMark)

/** Foreign text without the mark, and without its number, of which the parser would make it. */
export const withoutMark = (text: string): string => text.replace(/\ufdd0|&#(?:x0*fdd0|0*64976);?/gi, '')

/** Without lines that have the mark, and without blank lines between them and what is drawn. */
export function withoutHidden(lines: readonly string[]): readonly string[] {
  if (!lines.some(isHidden)) return lines
  const first = isHidden(lines[0] ?? '')
  const last = isHidden(lines.at(-1) ?? '')
  const drawn = lines.filter(line => !isHidden(line))
  const from = first ? drawn.findIndex(Boolean) : 0
  const to = last ? drawn.findLastIndex(Boolean) + 1 : drawn.length
  return from < 0 ? [] : drawn.slice(from, to)
}
