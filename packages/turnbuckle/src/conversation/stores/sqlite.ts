import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { TurnbuckleError } from '../../core/errors.ts'
import { isAlive } from '../holder.ts'
import { type Executor, migrations, type Row, SqlDriver, type Work } from '../sql-driver.ts'
import { type ConversationStore, createStore, type StoreOptions } from '../store.ts'

/** The little of a synchronous SQLite driver that we use: `node:sqlite` and `libsql` both have it. */
interface Database {
  exec(sql: string): unknown
  prepare(sql: string): { all(...params: unknown[]): unknown[]; run(...params: unknown[]): unknown }
  close(): void
}

/**
 * Conversations in one SQLite file: the embedded default. Write-ahead log, every commit synced to disk. Uses
 * `node:sqlite` where Node has it, else the package `libsql`.
 *
 * ```ts
 * createAgent({ model, store: sqliteStore('conversations.db') })
 * ```
 */
export function sqliteStore(path: string, options: StoreOptions = {}): ConversationStore {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const database = open(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    if (path !== ':memory:') database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = FULL')
    migrate(database, path)
  } catch (error) {
    database.close()
    throw readable(error, path)
  }
  return createStore(new SqlDriver(new SqliteExecutor(database, path)), options)
}

function open(path: string): Database {
  const require = createRequire(import.meta.url)
  try {
    const { DatabaseSync } = require('node:sqlite') as { DatabaseSync: new (path: string) => Database }
    return new DatabaseSync(path)
  } catch (error) {
    if (!/node:sqlite/.test(String(error))) throw readable(error, path)
  }
  let Libsql: new (path: string) => Database
  try {
    Libsql = require('libsql') as new (path: string) => Database
  } catch {
    throw new TurnbuckleError(
      'store.driver',
      'This Node has no SQLite of its own (22.13 has). Install one: npm install libsql',
    )
  }
  try {
    return new Libsql(path)
  } catch (error) {
    throw readable(error, path)
  }
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

/** What the database says, with what to do about it. */
function readable(error: unknown, path: string): unknown {
  if (error instanceof TurnbuckleError) return error
  const text = String((error as Error)?.message ?? error)
  const known: readonly (readonly [RegExp, string, string])[] = [
    [/readonly|read-only/i, 'store.readonly', `"${path}" cannot be written to: check its permissions.`],
    [/locked|busy/i, 'store.locked', `"${path}" is locked by another program. Close it and try again.`],
    [
      /full|no space/i,
      'store.full',
      `There is no space left for "${path}". Free some and try again: nothing that was acknowledged is lost.`,
    ],
    [
      /malformed|not a database|corrupt/i,
      'store.damaged',
      `"${path}" is damaged. Restore a copy, or move it away to start anew.`,
    ],
    [
      /unable to open|cannot open/i,
      'store.unreachable',
      `"${path}" cannot be opened: check the folder and its permissions.`,
    ],
  ]
  const match = known.find(([pattern]) => pattern.test(text))
  return new TurnbuckleError(
    match?.[1] ?? 'store.failed',
    match ? `${match[2]} (${text})` : `The store "${path}" failed: ${text}`,
    { cause: error, kind: 'store' },
  )
}
