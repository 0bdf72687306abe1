import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { TurnbuckleError } from '../../core/errors.ts'

/** The little of a synchronous SQLite driver that we use: `node:sqlite` and `libsql` both have it. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): { all(...params: unknown[]): unknown[]; run(...params: unknown[]): unknown }
  close(): void
}

/** Opens a file, or makes it, for several processes at once. `prepare` makes it ready; when that throws it is closed again. */
export function openSqlite(path: string, prepare: (database: Database) => void): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const database = open(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    if (path !== ':memory:') database.exec('PRAGMA journal_mode = WAL')
    prepare(database)
  } catch (error) {
    database.close()
    throw readable(error, path)
  }
  return database
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

/** What the database says, with what to do about it. */
export function readable(error: unknown, path: string): unknown {
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
