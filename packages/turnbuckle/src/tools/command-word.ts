/** A word of a command, without its quotes and escapes. */
export interface Word {
  readonly text: string
  /** True where the shell decides what the word says: an expansion, a pattern, braces. */
  readonly dynamic: boolean
}

/** Something on a line that cannot be understood well enough to tell what it runs. */
export class Unknown extends Error {}

/** A word that says what stands there. */
export const wordOf = (text: string): Word => ({ text, dynamic: false })

/** A word that only another program knows: a file that `find` finds, a line that `xargs` reads. */
export const expansion = (name: string): Word => ({ text: `$${name}`, dynamic: true })

/** Commands that a command stands for, beside itself. */
export interface Wrapped {
  /** The same command without the options before its subcommand: `git push` of `git -C x push`. */
  readonly same?: readonly (readonly Word[])[]
  /** The commands that it runs. */
  readonly runs?: readonly (readonly Word[])[]
  /** Lines that it gives to a shell. */
  readonly lines?: readonly string[]
  /** Files and folders that it writes because an option names them. */
  readonly writes?: readonly string[]
}

/** The options of a program, up to the word that ends them. */
export interface OptionSpec {
  /** Options that are one word. */
  readonly flags: RegExp
  /** Options whose value is the next word. */
  readonly values: RegExp
}

/**
 * The index of the first word that is no option, from `at` on; `--` ends options and is passed over. Throws for an option
 * that is not known, or that only a shell can expand.
 */
export function pastOptions(words: readonly Word[], at: number, { flags, values }: OptionSpec): number {
  let next = at
  for (let word = words[next]; word?.text.startsWith('-'); word = words[next]) {
    if (!isFixed(word)) throw new Unknown()
    if (word.text === '--') return next + 1
    const hasValue = values.test(word.text)
    if (!hasValue && !flags.test(word.text)) throw new Unknown()
    if (hasValue) readValue(words[next + 1])
    next += hasValue ? 2 : 1
  }
  return next
}

/** The text of an option's value. Throws where there is none, or where a shell has yet to expand it, but for a home folder. */
export function readValue(word: Word | undefined): string {
  if (!word || !(isFixed(word) || /^~[\w./-]*$/.test(word.text))) throw new Unknown()
  return word.text
}

/** The text of a word that decides how the rest is read: a subcommand, an image. Throws where a shell has yet to expand it. */
export function readFixed(word: Word | undefined): string {
  if (word && !isFixed(word)) throw new Unknown()
  return word?.text ?? ''
}

/**
 * Throws where a shell may make an option of a word, or more words than one: `-exec$x`, `$x`, `a$IFS-delete`. Where `files` count too, also
 * for a pattern that begins a word, since there may be a file called `-delete`, and for what may become the end of a command, as `\;$x`.
 */
export function refuseMadeOptions(words: readonly Word[], { files }: { readonly files: boolean }): void {
  const made = files ? /[$`]|^[-;+{*?[]/ : /[$`]|^[-{]/
  if (words.some(word => !isFixed(word) && made.test(word.text))) throw new Unknown()
}

/** True for a word that no shell changes. Braces without a comma or dots stay as they are: `{}`. */
const isFixed = ({ text, dynamic }: Word): boolean => !dynamic || !(/[$`*?[~]/.test(text) || hasBraces(text))

/** True where a shell may make several words of one: `{a,b}`, `{1..9}`. One pass: a line is analysed before anybody is asked about it. */
export function hasBraces(text: string): boolean {
  const open = text.indexOf('{')
  if (open < 0) return false
  const [comma, dots] = [text.indexOf(',', open), text.indexOf('..', open)]
  const first = comma < 0 || dots < 0 ? Math.max(comma, dots) : Math.min(comma, dots)
  return first >= 0 && text.indexOf('}', first) >= 0
}
