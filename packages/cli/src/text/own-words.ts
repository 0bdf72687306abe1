import type { Message, TextPart } from 'turnbuckle'

/** A text for the model that goes with a person's message: a part of its own behind their words, after a blank line. */
export const besides = (text: string): TextPart => ({ type: 'text', text: `\n\n${text}` })

type Content = Pick<Message, 'content'>

const textParts = ({ content }: Content): readonly TextPart[] =>
  content.flatMap(part => (part.type === 'text' ? [part] : []))
const isBesides = ({ text }: TextPart, place: number): boolean => place > 0 && text.startsWith('\n\n')

/** The parts of a person's message that the chat told the model besides: the output of a command of theirs. */
export const partsBesides = (message: Content): readonly TextPart[] => textParts(message).filter(isBesides)

/** The words of a person's message, without what was told besides. */
export const ownWords = (message: Content): string =>
  textParts(message)
    .filter((part, place) => !isBesides(part, place))
    .map(({ text }) => text)
    .join('')

/** The texts that went with these words. */
export const toldBesides = (message: Content): readonly string[] =>
  partsBesides(message).map(({ text }) => text.trimStart())
