import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { UserError } from '../errors/user-error.ts'
import { print } from '../text/print.ts'

export interface AskLineOptions {
  /** Taken for an empty line. */
  readonly otherwise?: string
  /** What is typed is not shown. */
  readonly hidden?: boolean
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() })

/** Asks for a line on the terminal. Ctrl-C and the end of the input end the command. */
export async function askLine(
  question: string,
  { otherwise = '', hidden = false }: AskLineOptions = {},
): Promise<string> {
  const shown = `${question}${otherwise ? ` [${otherwise}]` : ''}: `
  if (hidden) print(shown)
  const output = hidden ? nowhere() : process.stdout
  const lines = createInterface({ input: process.stdin, output, terminal: Boolean(process.stdin.isTTY) })
  const given = new AbortController()
  lines.once('SIGINT', () => given.abort())
  lines.once('close', () => given.abort())
  try {
    const said = (await lines.question(hidden ? '' : shown, { signal: given.signal })).trim()
    if (hidden) print('\n')
    return said || otherwise
  } catch {
    print('\n')
    throw new UserError('Nothing was changed.', 1)
  } finally {
    lines.close()
  }
}
