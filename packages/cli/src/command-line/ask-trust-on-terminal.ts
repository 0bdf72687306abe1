import { createInterface } from 'node:readline/promises'
import type { AskTrust } from '../settings/trust-file.ts'
import { printNote } from '../text/print.ts'
import { visibleText } from '../text/visible-text.ts'

export const canAskOnTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** A yes-or-no question on the terminal; anything but y is no. */
async function askYes(question: string): Promise<boolean> {
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

/** Shows what a project would run, and asks. */
export const askTrustOnTerminal: AskTrust = async (items, root) => {
  printNote(`\nThis project wants to use the following on your machine (${root}):`)
  for (const { name, does, hash } of items)
    printNote(`  ${visibleText(name)}  ${visibleText(does)}  (${hash.slice(0, 12)})`)
  return askYes('Trust exactly this content?')
}
