import type { Message, TextPart } from 'turnbuckle'

/** A text for the model that goes with a person's message: a part of its own behind their words, after a blank line. */
export const besides = (text: string): TextPart => ({ type: 'text', text: `\n\n${text}` })

const textsOf = ({ content }: Pick<Message, 'content'>): readonly string[] =>
  content.flatMap(part => (part.type === 'text' ? [part.text] : []))
const isBesides = (text: string, place: number): boolean => place > 0 && text.startsWith('\n\n')

/** The words of a person's message, without what the chat told the model besides: the output of a command of theirs. */
export const ownWords = (message: Pick<Message, 'content'>): string =>
  textsOf(message)
    .filter((text, place) => !isBesides(text, place))
    .join('')

/** The texts that went with these words. */
export const toldBesides = (message: Pick<Message, 'content'>): readonly string[] =>
  textsOf(message)
    .filter(isBesides)
    .map(text => text.trimStart())
