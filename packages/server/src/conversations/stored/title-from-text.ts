import { wholeCharacters } from '../../base/whole-characters.ts'

/** In characters. */
const longest = 80

/** The title of a conversation that nobody has named: the first message in one line, cut between words. */
export function titleFromText(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  if (line.length <= longest) return line
  const cut = wholeCharacters(line.slice(0, longest))
  const word = cut.lastIndexOf(' ')
  return `${word > longest / 2 ? cut.slice(0, word) : cut} …`
}
