import { TurnbuckleError } from '../../core/base/errors.ts'
import { sqlMigrations } from '../sql/sql-migrations.ts'
import type { Database } from './open-sqlite.ts'

const versions = sqlMigrations.sqlite

const versionOf = (database: Database): number => {
  const [row] = database.prepare('PRAGMA user_version').all() as { user_version: number }[]
  return row?.user_version ?? 0
}

/** Brings a file to the tables of this version. One of a newer version is left alone. */
export function migrateSqlite(database: Database, path: string): void {
  const version = versionOf(database)
  if (version > versions.length)
    throw new TurnbuckleError(
      'store.newer',
      `"${path}" was written by a newer Turnbuckle (schema ${version}; this one knows ${versions.length}). Update Turnbuckle to open it.`,
      { kind: 'store' },
    )
  if (version === versions.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it while this one waited.
    for (const sql of versions.slice(versionOf(database)).flat()) database.exec(sql)
    database.exec(`PRAGMA user_version = ${versions.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
