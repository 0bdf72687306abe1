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

/**
 * Asks for a line on the terminal. Ctrl-C and the end of the input end the command. The interface switches the terminal's echo off, so it is made
 * before the question is shown: a key typed the moment one sees the question must not appear.
 */
export async function askLine(
  question: string,
  { otherwise = '', hidden = false }: AskLineOptions = {},
): Promise<string> {
  const shown = `${question}${otherwise ? ` [${otherwise}]` : ''}: `
  const output = hidden ? nowhere() : process.stdout
  const lines = createInterface({ input: process.stdin, output, terminal: Boolean(process.stdin.isTTY) })
  const given = new AbortController()
  lines.once('SIGINT', () => given.abort())
  lines.once('close', () => given.abort())
  if (hidden) print(shown)
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
