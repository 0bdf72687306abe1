export interface CallTitle {
  /** The command line with its prompt (`$ npm test`), the path, or nothing where the arguments have neither. */
  readonly text: string | undefined
  /** Lines that a diff adds and removes, or the size of what is written. */
  readonly size: string | undefined
}

const member = (args: unknown, names: readonly string[]): string | undefined => {
  if (typeof args !== 'object' || args === null) return undefined
  const values = args as Readonly<Record<string, unknown>>
  return names.map(name => values[name]).find(value => typeof value === 'string')
}

/** The command of a call to a shell, with its prompt; `undefined` for any other call. */
export function shellLine(args: unknown): string | undefined {
  const command = member(args, ['command', 'cmd'])
  return command === undefined ? undefined : `$ ${command}`
}

/** Says at a glance what a call would do: the command that it runs, or the path that it touches and how much of it. */
export function callTitle(args: unknown, diff?: string): CallTitle {
  const line = shellLine(args)
  if (line !== undefined) return { text: line, size: undefined }
  const text = member(args, ['path', 'file', 'file_path', 'filename'])
  const written = member(args, ['content', 'text'])
  if (text === undefined) return { text, size: undefined }
  return { text, size: diff ? changedLines(diff) : written === undefined ? undefined : formatSize(written) }
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
