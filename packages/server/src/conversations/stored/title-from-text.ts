import type { Message } from 'turnbuckle'
import { wholeCharacters } from '../../base/whole-characters.ts'

/** In characters. */
const longest = 80

/** The title of a conversation that nobody has named: the first message in one line, of a long one its first words, cut between words. */
export function titleFromText(text: string): string {
  const whole = oneLine(text)
  if (whole.length <= longest) return whole
  const line = oneLine(firstWords(text))
  if (line.length <= longest) return line
  const cut = wholeCharacters(line.slice(0, longest))
  const word = cut.lastIndexOf(' ')
  return `${word > longest / 2 ? cut.slice(0, word) : cut} …`
}

/** The title that a first message gives: parts of text behind the first are told besides, as the output of a command. */
export const titleFromMessage = (message: Pick<Message, 'content'> | undefined): string =>
  titleFromText(message?.content.find(part => part.type === 'text')?.text ?? '')

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** A paragraph of fewer words tells too little: "Hello", "Hi there!" and "Summarise" go on in the next one, as "Dear all," does. */
const fewestWords = 4
const tellsTooLittle = (paragraph: string): boolean =>
  paragraph.endsWith(',') || paragraph.split(/\s+/).length < fewestWords

/** The first paragraph that tells something, with those before it: what comes behind it is often pasted. */
function firstWords(text: string): string {
  // A paste may be long: its own paragraphs are not looked for.
  const paragraphs = text
    .trim()
    .slice(0, 4 * longest)
    .split(/\s*\n\s*\n\s*/)
  const told = paragraphs.findIndex(paragraph => !tellsTooLittle(paragraph))
  return told < 0 ? text.slice(0, 4 * longest) : paragraphs.slice(0, told + 1).join('\n')
}
