import { openSqlite } from './open-sqlite.ts'

interface Place {
  readonly now: number
  readonly limit: number
  readonly perMs: number
  readonly maxWaitMs: number
}

/** A `RateStore` of `turnbuckle/middleware`. */
export interface SqliteRates {
  /** Takes from the allowance of a key, or says how long to wait. */
  take(key: string, place: Place): number | undefined
  /** Closes the file. */
  close(): void
}

/**
 * Counts for `rateLimit` in a SQLite file: the limit holds for all processes that share it, and after a restart.
 *
 * ```ts
 * rateLimit({ limit: 60, store: sqliteRates('rates.db') })
 * ```
 */
export function sqliteRates(path: string): SqliteRates {
  const database = openSqlite(path, database => {
    database.exec('PRAGMA synchronous = NORMAL')
    database.exec('CREATE TABLE IF NOT EXISTS rates (key TEXT NOT NULL, at REAL NOT NULL)')
    database.exec('CREATE INDEX IF NOT EXISTS rates_key ON rates (key, at)')
  })
  const forget = database.prepare('DELETE FROM rates WHERE key = ? AND at <= ?')
  const oldest = database.prepare('SELECT at FROM rates WHERE key = ? ORDER BY at DESC LIMIT 1 OFFSET ?')
  const reserve = database.prepare('INSERT INTO rates (key, at) VALUES (?, ?)')
  const take = (key: string, { now, limit, perMs, maxWaitMs }: Place): number | undefined => {
    forget.run(key, now - perMs)
    // The place that has to be over before this one: `limit` places back.
    const [last] = oldest.all(key, limit - 1) as { readonly at: number }[]
    const free = last === undefined ? now : Math.max(now, last.at + perMs)
    if (free - now > maxWaitMs) return undefined
    reserve.run(key, free)
    return free - now
  }
  return {
    take(key, place) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const wait = take(key, place)
        database.exec('COMMIT')
        return wait
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    close: () => database.close(),
  }
}
