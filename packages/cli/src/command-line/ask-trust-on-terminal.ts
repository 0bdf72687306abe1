import { trustChange } from '../settings/trust-change.ts'
import type { AskTrust } from '../settings/trust-file.ts'
import { printNote } from '../text/print.ts'
import { visibleValue } from '../text/visible-value.ts'
import { askYes } from './ask-yes.ts'

export const canAskOnTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** Shows what a project would run, and how that has changed since it was trusted; and asks. */
export const askTrustOnTerminal: AskTrust = async (items, root) => {
  printNote(`\nThis project wants to use the following on your machine (${root}):`)
  for (const item of items) {
    printNote(`  ${visibleValue(item.name)}  ${visibleValue(item.does)}  (${item.hash.slice(0, 12)})`)
    const change = trustChange(item)
    if (change) printNote(change.replace(/^/gm, '    '))
  }
  return askYes('Trust exactly this content?')
}
