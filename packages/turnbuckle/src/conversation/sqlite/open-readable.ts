import { TurnbuckleError } from '../../core/base/errors.ts'
import { nodeModule } from '../platform/node-module.ts'
import type { Loss } from '../stores/loss.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { type Database, openSqlite, readable, type SqliteDriverName } from './open-sqlite.ts'
import { isTorn, salvage } from './salvage.ts'
import { unusedTail } from './unused-tail.ts'

interface Options {
  readonly maxBytes: number | undefined
  readonly driver: SqliteDriverName | undefined
}

interface Opened {
  readonly database: Database
  readonly loss?: Loss | undefined
  /** Thrown by every commit of a store that is open for reading only. */
  readonly refusal?: TurnbuckleError
}

/** Opens the file, or, where that cannot be used, a copy in memory of the readable beginning of its log. */
export function openReadable(path: string, options: Options): Opened {
  if (path === ':memory:') return { database: openWhole(path, options) }
  try {
    if (isTorn(path, options.driver)) throw readable(new Error('the file is malformed at its end'), path)
    const database = openWhole(path, options)
    const damage = damageOf(database, path)
    return damage ? openDamaged(path, options, database, damage) : { database, loss: cutTail(database, path) }
  } catch (error) {
    return openCopy(path, options, readable(error, path))
  }
}

/** Opens a file that could not be written to when it was opened first, in place of that; undefined where it still cannot be. */
export function openWritable(path: string, options: Options, letGo: () => void): Opened | undefined {
  if (!isWritable(path)) return undefined
  letGo()
  try {
    return openReadable(path, options)
  } catch (error) {
    // What was readable stays so, and the next write tries again: another program holds the file, or a newer version has written it.
    const cause = readable(error, path)
    return openCopy(path, options, new TurnbuckleError('store.readonly', cause.message, { cause, kind: 'store' }))
  }
}

/** True where the file, its folder, and its write-ahead log may be written to, which another user may have made. */
export function isWritable(path: string): boolean {
  const { accessSync, constants, existsSync } = nodeModule('node:fs')
  const logs = [`${path}-wal`, `${path}-shm`].filter(log => existsSync(log))
  try {
    for (const place of [path, nodeModule('node:path').dirname(path), ...logs]) accessSync(place, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A damaged file whose log is whole is rebuilt in memory from it. Any other is read as it is: rows, or errors. */
function openDamaged(path: string, options: Options, database: Database, error: TurnbuckleError): Opened {
  const copy = openWhole(':memory:', options)
  if (salvaged(path, copy, options)?.whole) {
    database.close()
    return forReading(path, copy, error, 'The log is whole, and is shown.')
  }
  copy.close()
  return forReading(path, database, error, 'Not all that was written can be read.')
}

function forReading(path: string, database: Database, error: TurnbuckleError, what: string): Opened {
  const message = `${error.message} It is open for reading only. ${what}`
  const refusal = new TurnbuckleError('store.damaged', message, { cause: error, kind: 'store' })
  return { database, refusal, loss: { path, message } }
}

function openCopy(path: string, options: Options, error: TurnbuckleError): Opened {
  const { code } = error
  const damaged = code === 'store.damaged'
  const closed = code === 'store.readonly' || code === 'store.unreachable'
  if (!(damaged || closed) || !nodeModule('node:fs').existsSync(path)) throw error
  const database = openWhole(':memory:', options)
  const conversations = salvaged(path, database, options)?.conversations
  if (!conversations) throw error
  const missing = conversations.filter(({ lost }) => lost > 0).map(({ id, lost }) => `${lost} of "${id}"`)
  const readableEvents = conversations.reduce((sum, { readable }) => sum + readable, 0)
  const message = `${error.message} It is open for reading only: ${readableEvents} events can be read${missing.length ? `, these are lost: ${missing.join(', ')}` : ''}.`
  const refusal = new TurnbuckleError(damaged ? code : 'store.readonly', message, { cause: error, kind: 'store' })
  return { database, refusal, ...(damaged ? { loss: { path, message, conversations } } : {}) }
}

function salvaged(path: string, into: Database, { driver }: Options): ReturnType<typeof salvage> {
  try {
    return salvage(path, into, driver)
  } catch {
    return undefined
  }
}

/** Opens a file that is whole, or makes it, with the tables of this version. */
export const openWhole = (path: string, { driver, maxBytes }: Options): Database =>
  openSqlite(
    path,
    database => {
      database.exec('PRAGMA synchronous = FULL')
      // Every commit is synced to the write-ahead log, which goes into the file every 16 MB: a page that changes often, once.
      database.exec(`PRAGMA wal_autocheckpoint = ${Math.floor(16_777_216 / pageSize(database))}`)
      // Deleted records (raw results, messages from before the hooks) are overwritten where their page is written anyway.
      database.exec('PRAGMA secure_delete = FAST')
      if (maxBytes !== undefined)
        database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize(database)))}`)
      migrateSqlite(database, path)
    },
    driver,
  )

/** A file of a new store has pages of 2,048 bytes, an older one of 4,096. */
const pageSize = (database: Database): number => {
  const [row] = database.prepare('PRAGMA page_size').all() as { page_size: number }[]
  return row?.page_size ?? 4096
}

/** Bytes: a file up to this size is checked as a whole, in some twenty milliseconds. */
const checkedWhole = 16_384_000
/** Tables that are checked in a larger file: small ones, in which a lost row would not be noticed otherwise. */
const looked = ['conversations', 'requests']

/** Checks the pages when the store opens: a damaged one may give fewer rows instead of an error. */
function damageOf(database: Database, path: string): TurnbuckleError | undefined {
  try {
    const [size] = database.prepare('PRAGMA page_count').all() as { page_count: number }[]
    const bytes = Number(size?.page_count) * pageSize(database)
    for (const part of bytes > checkedWhole ? looked : ['1']) {
      const [row] = database.prepare(`PRAGMA quick_check(${part})`).all() as { quick_check: string }[]
      if (row?.quick_check !== 'ok') throw new Error(`malformed: ${row?.quick_check}`)
    }
    return undefined
  } catch (error) {
    const known = readable(error, path)
    if (known.code === 'store.damaged') return known
    database.close()
    throw known
  }
}

function cutTail(database: Database, path: string): Loss | undefined {
  const bytes = whileNobodyWrites(database, () => unusedTail(`${path}-wal`))
  if (!bytes) return undefined
  const message = `The last ${bytes} bytes of "${path}-wal" cannot be read and are cut off: a write that was never finished, or damage. What was in them is not in the log.`
  return { path, message, bytes }
}

/** Holds the write lock while the log is looked at. While another process writes, the tail is not damage: returns 0. */
function whileNobodyWrites(database: Database, look: () => number): number {
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    return /readonly|read-only/i.test(String(error)) ? look() : 0
  }
  try {
    return look()
  } finally {
    database.exec('ROLLBACK')
  }
}
