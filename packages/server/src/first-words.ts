const longest = 80

/** A cut text without the half of a character at its beginning or end. */
export const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '')

/** What was said first, as a title: one line, whole words. */
export function firstWords(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  if (line.length <= longest) return line
  const cut = whole(line.slice(0, longest))
  const word = cut.lastIndexOf(' ')
  return `${word > longest / 2 ? cut.slice(0, word) : cut} …`
}
