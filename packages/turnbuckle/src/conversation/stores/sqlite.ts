import { hostname } from 'node:os'
import { TurnbuckleError } from '../../core/errors.ts'
import { isAlive } from '../holder.ts'
import { type Executor, migrations, type Row, SqlDriver, type Work } from '../sql-driver.ts'
import { type ConversationStore, createStore, type StoreOptions } from '../store.ts'
import { type Database, openSqlite, readable } from './open-sqlite.ts'

/**
 * Conversations in one SQLite file: the embedded default. Write-ahead log, every commit synced to disk. Uses
 * `node:sqlite` where Node has it, else the package `libsql`.
 *
 * ```ts
 * createAgent({ model, store: sqliteStore('conversations.db') })
 * ```
 */
export function sqliteStore(path: string, options: StoreOptions = {}): ConversationStore {
  const database = openSqlite(path, database => {
    database.exec('PRAGMA synchronous = FULL')
    migrate(database, path)
  })
  return createStore(new SqlDriver(new SqliteExecutor(database, path)), options)
}

function migrate(database: Database, path: string): void {
  const [row] = database.prepare('PRAGMA user_version').all() as { user_version: number }[]
  const version = row?.user_version ?? 0
  if (version > migrations.length)
    throw new TurnbuckleError(
      'store.newer',
      `"${path}" was written by a newer Turnbuckle (schema ${version}; this one knows ${migrations.length}). Update Turnbuckle to open it.`,
      { kind: 'store' },
    )
  for (let next = version; next < migrations.length; next++) {
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const sql of migrations[next] ?? []) database.exec(sql)
      database.exec(`PRAGMA user_version = ${next + 1}`)
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      if (!/already exists/.test(String(error))) throw error
    }
  }
}

class SqliteExecutor implements Executor {
  readonly #database: Database
  readonly #path: string
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
  }

  query<Result>(work: () => Work<Result>): Result {
    try {
      return this.#drive(work())
    } catch (error) {
      throw readable(error, this.#path)
    }
  }

  transaction<Result>(work: () => Work<Result>): Result {
    try {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        const result = this.#drive(work())
        this.#database.exec('COMMIT')
        return result
      } catch (error) {
        this.#rollBack()
        throw error
      }
    } catch (error) {
      throw readable(error, this.#path)
    }
  }

  /** A full disk ends the transaction by itself. */
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK')
    } catch {}
  }

  isAlive(holder: string): boolean {
    return isAlive(holder, hostname())
  }
  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #drive<Result>(work: Work<Result>): Result {
    let step = work.next()
    while (!step.done) {
      const [sql, params = []] = step.value
      step = work.next(this.#rows(sql, params))
    }
    return step.value
  }

  #rows(sql: string, params: readonly unknown[]): readonly Row[] {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    if (/^\s*(SELECT|WITH RECURSIVE path)/.test(sql)) return statement.all(...params) as Row[]
    statement.run(...params)
    return []
  }
}
