import { existsSync } from 'node:fs'
import { TurnbuckleError } from '../../core/errors.ts'
import type { Loss } from '../loss.ts'
import { type Database, openSqlite, readable, type SqliteDriverName } from './open-sqlite.ts'
import { isTorn, salvage } from './salvage.ts'
import { migrate } from './sqlite-schema.ts'
import { unusedTail } from './wal-tail.ts'

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
    return { database, loss: cutTail(database, path) }
  } catch (error) {
    return openCopy(path, options, readable(error, path))
  }
}

function openCopy(path: string, options: Options, error: TurnbuckleError): Opened {
  const { code } = error
  const damaged = code === 'store.damaged'
  const closed = code === 'store.readonly' || code === 'store.unreachable'
  if (!(damaged || closed) || !existsSync(path)) throw error
  const database = openWhole(':memory:', options)
  const conversations = salvaged(path, database, options)
  if (!conversations) throw error
  const missing = conversations.filter(({ lost }) => lost > 0).map(({ id, lost }) => `${lost} of "${id}"`)
  const readableEvents = conversations.reduce((sum, { readable }) => sum + readable, 0)
  const message = `${error.message} It is open for reading only: ${readableEvents} events can be read${missing.length ? `, these are lost: ${missing.join(', ')}` : ''}.`
  const refusal = new TurnbuckleError(damaged ? code : 'store.readonly', message, { cause: error, kind: 'store' })
  return { database, refusal, ...(damaged ? { loss: { path, message, conversations } } : {}) }
}

function salvaged(path: string, into: Database, { driver }: Options): Loss['conversations'] {
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
      if (maxBytes !== undefined) database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / 4096))}`)
      migrate(database, path)
    },
    driver,
  )

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
