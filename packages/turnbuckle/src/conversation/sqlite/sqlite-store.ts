import { SqlDriver } from '../sql/sql-driver.ts'
import { type ConversationStore, createStore, type StoreOptions } from '../stores/create-store.ts'
import { isWritable, openReadable, openWritable } from './open-readable.ts'
import type { SqliteDriverName } from './open-sqlite.ts'
import { SqliteExecutor } from './sqlite-executor.ts'
import { ThreadDriver } from './thread-driver.ts'
import { hasThread } from './thread-file.ts'

/** The options of `sqliteStore`. */
export interface SqliteOptions extends StoreOptions {
  /** Bytes that the file may grow to; a commit beyond fails with `store.full`. No limit by default. */
  readonly maxBytes?: number
  /** `node:sqlite` where Node has it, else `libsql`. */
  readonly driver?: SqliteDriverName
}

/**
 * Conversations in one SQLite file: the embedded default. Write-ahead log, every commit synced to disk, in a thread of
 * its own. Uses `node:sqlite` where Node has it, else the package `libsql`. A file that is damaged or cannot be written to is opened
 * for reading, as far as it can be read; `store.loss` says what is missing. One that can be written to again is, without opening the store anew.
 *
 * ```ts
 * createAgent({ model, store: sqliteStore('conversations.db') })
 * ```
 */
export function sqliteStore(path: string, options: SqliteOptions = {}): ConversationStore {
  const { maxBytes, driver, ...rest } = options
  const { database, loss, refusal } = openReadable(path, { maxBytes, driver })
  const reopen = (letGo: () => void) => openWritable(path, { maxBytes, driver }, letGo)
  const here = new SqlDriver(new SqliteExecutor(database, path, { refusal, reopen }))
  // A database in memory is in no file that a thread could open, and one that cannot be written to is opened anew once it can be.
  const isHere = path === ':memory:' || refusal !== undefined || !isWritable(path) || !hasThread()
  return createStore(isHere ? here : new ThreadDriver({ path, driver, maxBytes }, here), rest, loss)
}
