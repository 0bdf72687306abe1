import type { LiveConnections } from './live-connections.ts'

/** Milliseconds after which a right that another server on the store gave or took counts here, and an expired token's socket is closed. */
const freshMs = 1000

export interface FreshRights {
  /** Reads at once: another server on the store has said that something is new. Resolves when that was read. */
  look(): Promise<void>
  stop(): void
}

/** Reads rights at the start and again and again, and ends connections that have lost theirs. */
export async function keepRightsFresh(
  kept: readonly { refresh(): Promise<unknown> }[],
  connections: LiveConnections,
  report: (error: unknown) => void,
): Promise<FreshRights> {
  const refresh = async () => {
    for (const one of kept) await one.refresh()
  }
  await refresh()
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined
  const read = async () => {
    await refresh().catch(report)
    reading = undefined
    // Tokens expire also while the store cannot be read.
    connections.sweep()
  }
  const look = (): Promise<void> => {
    if (!reading) {
      reading = read()
      return reading
    }
    // The one under way may have read before that was set.
    next ??= reading.then(() => {
      next = undefined
      return look()
    })
    return next
  }
  const timer = setInterval(() => {
    if (!reading) void look()
  }, freshMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
