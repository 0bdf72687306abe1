import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { printNote } from '../text/print.ts'

/** Milliseconds in which a terminal hands over what was typed ahead. */
const typedAheadMs = 100

/** A yes-or-no question on the terminal. Anything but y is no: Enter, too, and Esc at once. What was typed before the question is shown is no answer. */
export async function askYes(question: string): Promise<boolean> {
  await dropTypedAhead()
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

async function dropTypedAhead(): Promise<void> {
  const { stdin } = process
  if (!stdin.isTTY) return
  const drop = () => {}
  // Lines that were typed ahead are handed over only to who reads keys.
  stdin.setRawMode(true)
  stdin.on('data', drop).resume()
  await sleep(typedAheadMs)
  stdin.off('data', drop).pause()
  stdin.setRawMode(false)
}
