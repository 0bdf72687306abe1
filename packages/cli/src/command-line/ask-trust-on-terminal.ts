import type { AskTrust } from '../settings/trust-file.ts'
import { printNote } from '../text/print.ts'
import { visibleText } from '../text/visible-text.ts'
import { askYes } from './ask-yes.ts'

export const canAskOnTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Shows what a project would run, and asks. */
export const askTrustOnTerminal: AskTrust = async (items, root) => {
  printNote(`\nThis project wants to use the following on your machine (${root}):`)
  for (const { name, does, hash } of items)
    printNote(`  ${visibleText(name)}  ${visibleText(does)}  (${hash.slice(0, 12)})`)
  return askYes('Trust exactly this content?')
}
