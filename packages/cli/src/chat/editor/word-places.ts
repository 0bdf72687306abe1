interface Place {
  readonly text: string
  readonly cursor: number
}

const reach = (pattern: RegExp, text: string): number => pattern.exec(text)?.[0].length ?? 0

/** Beginning of the word before the cursor, and end of the one behind it. A word has letters and digits, as in readline. */
export const wordStart = ({ text, cursor }: Place): number =>
  cursor - reach(/[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u, text.slice(0, cursor))
export const wordEnd = ({ text, cursor }: Place): number =>
  cursor + reach(/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u, text.slice(cursor))

/** Beginning of what stands between blanks before the cursor: Ctrl-W takes a path as a whole. */
export const blankWordStart = ({ text, cursor }: Place): number => cursor - reach(/\S*\s*$/, text.slice(0, cursor))

/** For vim: the beginning of the next word, and the last letter of the one behind the cursor. Signs are words too. */
export const nextWordStart = ({ text, cursor }: Place): number =>
  cursor + reach(/^(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*/u, text.slice(cursor))
export function lastLetterOfWord({ text, cursor }: Place): number {
  const length = reach(/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)/u, text.slice(cursor + 1))
  return length ? cursor + length : cursor
}
/** For vim: the beginning of this word, or of the one before. */
export const vimWordStart = ({ text, cursor }: Place): number =>
  cursor - reach(/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)\s*$/u, text.slice(0, cursor))
