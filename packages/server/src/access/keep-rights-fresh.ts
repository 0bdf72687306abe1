import type { LiveConnections } from './live-connections.ts'

/** Milliseconds after which a right that another server on the store gave or took counts here, and an expired token's socket is closed. */
const freshMs = 1000

/** Reads rights at the start and again and again, and ends connections that have lost theirs. Returns a function that stops it. */
export async function keepRightsFresh(
  kept: readonly { refresh(): Promise<void> }[],
  connections: LiveConnections,
  report: (error: unknown) => void,
): Promise<() => void> {
  const refresh = async () => {
    for (const one of kept) await one.refresh()
  }
  await refresh()
  let isReading = false
  const look = async () => {
    if (isReading) return
    isReading = true
    await refresh().catch(report)
    isReading = false
    // Tokens expire also while the store cannot be read.
    connections.sweep()
  }
  const timer = setInterval(() => void look(), freshMs)
  timer.unref()
  return () => clearInterval(timer)
}
