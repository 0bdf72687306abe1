import { randomUUID } from 'node:crypto'
import type { Commit, ConversationStore } from 'turnbuckle/stores'
import { isLocked } from './lost-race.ts'

/** Milliseconds after which a process that hangs in its work is no writer any more. */
const leaseMs = 5000

/**
 * Does work as the one writer of a conversation, and gives what it gives. Undefined, with nothing done, where another process is the writer or the
 * conversation is deleted. `owner`: names the process.
 */
export async function asOnlyWriter<Done>(
  { driver }: Pick<ConversationStore, 'driver'>,
  { conversation, owner }: { readonly conversation: string; readonly owner: string },
  work: () => Promise<Done>,
): Promise<Done | undefined> {
  // A name of its own: the store takes two leases of one holder for the same.
  const holder = `${owner}/${randomUUID()}`
  const commit = (fence?: number) => {
    const nothing = { records: [], head: undefined, unsynced: true } satisfies Partial<Commit>
    return driver.commit({ conversation, holder, leaseMs, fence, release: fence !== undefined, ...nothing })
  }
  try {
    const { fence, n } = await commit()
    try {
      return n ? await work() : undefined
    } finally {
      if (n) await commit(fence)
      // Becoming the writer has made the conversation that was deleted meanwhile.
      else await driver.delete(conversation)
    }
  } catch (error) {
    if (isLocked(error)) return undefined
    throw error
  }
}
