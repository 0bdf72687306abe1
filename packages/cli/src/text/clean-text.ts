// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this is about
import { stripControls } from 'turnbuckle/tools'

/**
 * Sequences that text for a terminal may keep: a colour or weight of `paint`, one code each, and links to the web.
 * Concealing and blinking are not among them, nor is anything that moves the cursor or speaks to the terminal.
 */
const kept =
  /(\x1b\[(?:[0-479]|2[1-479]|3[0-79]|4[0-79]|9[0-7]|10[0-7]|[34]8;5;\d{1,3})m|\x1b\]8;;(?:https?:\/\/[!-~]*)?\x1b\\)/
/** Overrides of the writing direction: text that reads differently from what it says. */
const direction = /[\u202a-\u202e\u2066-\u2069]/g

/** Contract: the one function between foreign text and a terminal. Tabs and line ends stay, nothing else that drives it. */
export const cleanText = (text: string): string => stripControls(text).replace(direction, '')

/** Cleans a text that we have coloured: the last gate before a terminal, whatever became of the text before. */
export const cleanStyled = (text: string): string =>
  text.includes('\x1b')
    ? text
        .split(kept)
        .map((part, i) => (i % 2 ? part : cleanText(part)))
        .join('')
    : cleanText(text)
