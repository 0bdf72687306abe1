/** Lines and characters from which on a pasted text is folded. */
const [longLines, longText] = [40, 4000]

/** Number of lines of a text, whose last may end or not; counts without making a list of them. */
export function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** True for a pasted text that is folded instead of filling the message box. */
export const isLongPaste = (text: string): boolean => text.length > longText || countLines(text) > longLines

/** `Pasted 500 lines`; a text of few long lines by its characters. */
export function pasteLabel(text: string): string {
  const lines = countLines(text)
  return lines > 1 ? `Pasted ${lines.toLocaleString()} lines` : `Pasted ${text.length.toLocaleString()} characters`
}
