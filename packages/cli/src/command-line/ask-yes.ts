import { createInterface } from 'node:readline/promises'

/** A yes-or-no question on the terminal. Anything but y is no: Enter, too. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const aborted = new AbortController()
  lines.once('SIGINT', () => aborted.abort())
  lines.once('close', () => aborted.abort())
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal: aborted.signal })).trim())
  } catch {
    return false
  } finally {
    lines.close()
  }
}
