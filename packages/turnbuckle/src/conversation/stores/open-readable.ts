import { existsSync } from 'node:fs'
import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Loss } from './loss.ts'
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
  /** Why nothing can be written. */
  readonly refusal?: TurnbuckleError
}

/** Opens what can be read: the file itself, or, where that cannot be used, a copy in memory of its readable beginning. */
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

/** Its log may be whole: then all else is made from that. Else the file gives what it can, or an error where it cannot. */
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
  if (!(damaged || closed) || !existsSync(path)) throw error
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

const openWhole = (path: string, { driver, maxBytes }: Options): Database =>
  openSqlite(
    path,
    database => {
      database.exec('PRAGMA synchronous = FULL')
      // Every commit is synced to the write-ahead log, which goes into the file every 16 MB: a page that changes often, once.
      database.exec('PRAGMA wal_autocheckpoint = 4096')
      // What is erased, raw results and messages as they were before the hooks, is overwritten where its page is written anyway.
      database.exec('PRAGMA secure_delete = FAST')
      if (maxBytes !== undefined) database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / 4096))}`)
      migrateSqlite(database, path)
    },
    driver,
  )

/** Of 4 kB. A file of so many is checked as a whole in some twenty milliseconds. */
const pages = 4000
/** Of a larger one, the tables in which nothing would be missed that is not there: they stay small. */
const looked = ['conversations', 'requests']

/** A page of which a part is gone may give fewer rows instead of an error: what was written would look as if it never was. */
function damageOf(database: Database, path: string): TurnbuckleError | undefined {
  try {
    const [size] = database.prepare('PRAGMA page_count').all() as { page_count: number }[]
    for (const part of Number(size?.page_count) > pages ? looked : ['1']) {
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

/** Of a write that is under way nothing can be said: who writes is alive. */
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
