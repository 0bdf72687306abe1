import { TurnbuckleError } from '../../core/base/errors.ts'
import type { SqliteExecutor } from '../sqlite/sqlite-executor.ts'

/** A write that waits for its commit. */
export interface WaitingWrite {
  readonly unsynced: boolean
  /** Writes by a transaction of the executor, and gives the result. */
  readonly write: () => unknown
}

export type Written = { readonly result: unknown } | { readonly error: unknown }

/**
 * Commits writes in one transaction, synced once, if any of them asks for that. A write that is refused, by a fence
 * say, is undone alone. Where the database itself fails, on a full disk say, each write is tried again on its own.
 */
export function commitGroup(executor: SqliteExecutor, waiting: readonly WaitingWrite[]): readonly Written[] {
  if (waiting.length < 2) return waiting.map(alone)
  const unsynced = waiting.every(write => write.unsynced)
  let written: Written[] = []
  const write = (members: 'apart' | 'together', one: (write: WaitingWrite) => Written) =>
    executor.group(
      () => {
        written = waiting.map(one)
      },
      { unsynced, members },
    )
  try {
    // Members that can be undone alone cost more, and a refusal is rare: the group is then written anew.
    if (!isRefused(() => write('together', ({ write }) => ({ result: write() })))) return written
    write('apart', member)
    return written
  } catch (error) {
    if (isBusy(error)) return waiting.map(() => ({ error }))
    return waiting.map(alone)
  }
}

/** True where a member was refused. The database's own errors pass. */
function isRefused(write: () => void): boolean {
  try {
    write()
    return false
  } catch (error) {
    if (error instanceof TurnbuckleError && error.cause === undefined) return true
    throw error
  }
}

function alone({ write }: WaitingWrite): Written {
  try {
    return { result: write() }
  } catch (error) {
    return { error }
  }
}

/** A refusal is the member's own; the database's errors are the group's, and pass. */
function member({ write }: WaitingWrite): Written {
  try {
    return { result: write() }
  } catch (error) {
    if (!(error instanceof TurnbuckleError)) throw error
    return { error }
  }
}

/** Another process has held the file for longer than anybody waits: each write alone would wait as long once more. */
const isBusy = (error: unknown): boolean => error instanceof TurnbuckleError && error.code === 'store.locked'
