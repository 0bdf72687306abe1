import { visibleText } from './visible-text.ts'

export interface CallTitle {
  /** The command line with its prompt (`$ npm test`), the path, or nothing where the arguments have neither. */
  readonly text: string | undefined
  /** Lines that a diff adds and removes, the size of what is written, or the number of lines of a command that has several. */
  readonly size: string | undefined
}

const commandNames = ['command', 'cmd']
const pathNames = ['path', 'file', 'file_path', 'filename']

type Arguments = Readonly<Record<string, unknown>>

/** The first of these arguments that is a text. */
function member(args: unknown, names: readonly string[]): { readonly name: string; readonly text: string } | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  for (const name of names) {
    const text = (args as Arguments)[name]
    if (typeof text === 'string') return { name, text }
  }
  return undefined
}

/** The command of a call to a shell, with its prompt; `undefined` for any other call. */
export function shellLine(args: unknown): string | undefined {
  const command = member(args, commandNames)
  return command && `$ ${command.text}`
}

/** Says at a glance what a call would do: the command that it runs, or the path that it touches and how much of it. */
export function callTitle(args: unknown, diff?: string): CallTitle {
  const line = shellLine(args)
  if (line !== undefined) return { text: visibleText(line), size: severalLines(line) }
  const path = member(args, pathNames)
  const written = member(args, ['content', 'text'])
  if (!path) return { text: undefined, size: undefined }
  return { text: visibleText(path.text), size: diff ? changedLines(diff) : written && formatSize(written.text) }
}

/** A text of one line in which each character is seen: none that ends a line, turns the direction of text or shows nothing. */
const plainLine = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

/** The arguments that the title of a call does not say in plain sight; `undefined` where it says all. */
export function untitledArguments(args: unknown): unknown {
  const titled = member(args, commandNames) ?? member(args, pathNames)
  if (!titled || !plainLine.test(titled.text)) return args
  const { [titled.name]: _said, ...others } = args as Arguments
  return Object.keys(others).length ? others : undefined
}

function severalLines(text: string): string | undefined {
  const count = text.split(/\r\n|[\n\r\u2028\u2029]/).length
  return count > 1 ? `${count} lines` : undefined
}

function changedLines(diff: string): string {
  const lines = diff.split('\n')
  const count = (sign: string) => lines.filter(line => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length
  return `+${count('+')} −${count('-')}`
}

function formatSize(text: string): string {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}
