import { createInterface } from 'node:readline/promises'
import { printNote } from '../text/print.ts'

/** A yes-or-no question on the terminal. Anything but y is no: Enter, too, and Esc at once. */
export async function askYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const aborted = new AbortController()
  const hearEscape = (_: unknown, { name }: { readonly name?: string }) => {
    if (name === 'escape') aborted.abort()
  }
  process.stdin.on('keypress', hearEscape)
  lines.once('SIGINT', () => aborted.abort())
  lines.once('close', () => aborted.abort())
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal: aborted.signal })).trim())
  } catch {
    printNote('')
    return false
  } finally {
    process.stdin.off('keypress', hearEscape)
    lines.close()
  }
}
