import { cleanStyled, cleanText } from './clean-text.ts'

// Contract: nothing else in this package writes to standard output or error (a test looks for it).

/** True while the last line on standard output has no end yet. */
let isLineOpen = false

export const print = (text: string): void => {
  const cleaned = cleanText(text)
  if (cleaned) isLineOpen = !cleaned.endsWith('\n')
  process.stdout.write(cleaned)
}

export const printLine = (text: string): void => print(`${text}\n`)

/** A line with colours of our own. Contract: foreign text in it was cleaned before, or it could bring colours and links. */
export const printStyled = (line: string): void => {
  process.stdout.write(`${cleanStyled(line)}\n`)
  isLineOpen = false
}

/** For texts about a command, beside its result: where both are read together, on a line of its own. */
export const printNote = (text: string): void => {
  const areTogether = Boolean(process.stdout.isTTY) === Boolean(process.stderr.isTTY)
  process.stderr.write(`${isLineOpen && areTogether ? '\n' : ''}${cleanText(text)}\n`)
  isLineOpen = false
}

const unsafeInJson = /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g

/** A value as one line of JSON, nothing lost: characters that could drive a terminal are escaped. */
export const printJson = (value: unknown): void => {
  const text = JSON.stringify(value)
  process.stdout.write(
    `${text.replace(unsafeInJson, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
  )
}

/** A file for a pipe, byte by byte; on a terminal it is cleaned like all text. */
export const printFile = (text: string): void => {
  process.stdout.write(`${process.stdout.isTTY ? cleanText(text) : text}\n`)
}

/** For sequences that the program makes itself. Contract: text in them has been cleaned. */
export const sendToTerminal = (sequences: string): void => {
  process.stdout.write(sequences)
}

export const ringBell = (): void => sendToTerminal('\x07')

/** One line on standard error that the next one replaces; only where a person looks. */
export const printProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${cleanText(text)}\x1b[K`)
}
/** Takes the line of `printProgress` away, before other text is printed. */
export const clearProgress = (): void => {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
