import sqlite from 'node-sqlite3-wasm'
import { type ConversationStore, createStore } from 'turnbuckle/stores'
import { SqlDriver } from '../../../src/conversation/sql/sql-driver.ts'
import { migrateSqlite } from '../../../src/conversation/sqlite/migrate-sqlite.ts'
import type { Database } from '../../../src/conversation/sqlite/open-sqlite.ts'
import { SqliteExecutor } from '../../../src/conversation/sqlite/sqlite-executor.ts'

type Values = Parameters<ReturnType<sqlite.Database['prepare']>['all']>[0]

/** SQLite in WebAssembly, as stores use a database. It writes through Node's `fs`, which a test can look into. */
function openWasm(path: string): Database {
  const database = new sqlite.Database(path)
  const open: { finalize(): void }[] = []
  return {
    exec: sql => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql)
      open.push(statement)
      return {
        all: (...params) => statement.all(params as Values) as unknown[],
        iterate: (...params) => statement.iterate(params as Values) as Iterable<unknown>,
        run: (...params) => statement.run(params as Values),
      }
    },
    close() {
      // A statement that is left would keep the file locked.
      for (const statement of open) statement.finalize()
      database.close()
    },
  }
}

/**
 * A store as `sqliteStore` makes it, on SQLite in WebAssembly: write-ahead log, every commit synced. That build has no shared
 * memory, so that it holds its file alone. The log goes into the file often, so that a cut comes in the middle of that too.
 */
export function wasmStore(path: string): ConversationStore {
  const database = openWasm(path)
  for (const pragma of ['locking_mode = EXCLUSIVE', 'page_size = 2048', 'journal_mode = WAL', 'synchronous = FULL'])
    database.prepare(`PRAGMA ${pragma}`).all()
  database.prepare('PRAGMA wal_autocheckpoint = 60').all()
  database.exec('PRAGMA secure_delete = FAST')
  migrateSqlite(database, path)
  return createStore(new SqlDriver(new SqliteExecutor(database, path)), { leaseMs: 0 })
}
