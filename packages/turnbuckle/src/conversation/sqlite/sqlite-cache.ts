import { openSqlite } from './open-sqlite.ts'

/** The options of `sqliteCache`. */
export interface SqliteCacheOptions {
  /** The values that are kept; those not used for longest make room. 10,000 by default. */
  readonly max?: number
}

/** A `CacheStore` of `turnbuckle/middleware`. */
export interface SqliteCache {
  /** The value under the key, if there is one that still counts. */
  get(key: string): unknown
  /** Keeps a value under the key. */
  set(key: string, value: unknown): void
  /** Closes the file. */
  close(): void
}

/**
 * Keeps the replies of `modelCache` and the results of `toolCache` in a SQLite file: they outlive the process, and several
 * processes may share them. Plain data and bytes. A lost value is only asked for again, so no write waits for the disk.
 *
 * ```ts
 * modelCache({ store: sqliteCache('cache.db') })
 * ```
 */
export function sqliteCache(path: string, options: SqliteCacheOptions = {}): SqliteCache {
  const { max = 10_000 } = options
  const database = openSqlite(path, database => {
    database.exec('PRAGMA synchronous = NORMAL')
    database.exec('CREATE TABLE IF NOT EXISTS cache (key TEXT PRIMARY KEY, value TEXT NOT NULL, used INTEGER NOT NULL)')
    database.exec('CREATE INDEX IF NOT EXISTS cache_used ON cache (used)')
  })
  const newest = '(SELECT coalesce(max(used), 0) + 1 FROM cache)'
  const read = database.prepare('SELECT value FROM cache WHERE key = ?')
  const touch = database.prepare(`UPDATE cache SET used = ${newest} WHERE key = ?`)
  const write = database.prepare(
    `INSERT INTO cache (key, value, used) VALUES (?, ?, ${newest}) ON CONFLICT (key) DO UPDATE SET value = excluded.value, used = excluded.used`,
  )
  const forget = database.prepare(
    'DELETE FROM cache WHERE key IN (SELECT key FROM cache ORDER BY used DESC LIMIT -1 OFFSET ?)',
  )
  return {
    get(key) {
      const [row] = read.all(key) as { readonly value: string }[]
      if (!row) return undefined
      touch.run(key)
      return JSON.parse(row.value, decoded)
    },
    set(key, value) {
      write.run(key, JSON.stringify(value, encoded))
      forget.run(max)
    },
    close: () => database.close(),
  }
}

const mark = '$bytes'

/** Bytes in a cached reply as base64 text. */
const encoded = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? { [mark]: Buffer.from(value).toString('base64') } : value

function decoded(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(mark in value) || Object.keys(value).length > 1) return value
  return new Uint8Array(Buffer.from(String(value[mark]), 'base64'))
}
