import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from 'turnbuckle/stores'
import { afterAll, describe, expect, test } from 'vitest'
import { sqlitePackages } from '../../../test/sqlite-packages.ts'
import { sqlMigrations } from '../sql/sql-migrations.ts'
import { migrateSqlite } from './migrate-sqlite.ts'
import { connect, type Database } from './open-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const versionOf = (database: Database): unknown => database.prepare('PRAGMA user_version').all()[0]

describe.each(sqlitePackages)('%s', driver => {
  const open = (): Database => connect(':memory:', driver)

  test('a file of a newer version is not opened, and not touched', () => {
    const path = join(folder, `${driver.replace(':', '-')}-newer.db`)
    const store = sqliteStore(path, { driver })
    store.close()
    const database = connect(path, driver)
    database.exec('PRAGMA user_version = 1000')
    database.close()
    const bytes = readFileSync(path)
    expect(() => sqliteStore(path, { driver })).toThrow(expect.objectContaining({ code: 'store.newer', kind: 'store' }))
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  test('an empty file gets the tables of this version, and a second time nothing is done', () => {
    const database = open()
    migrateSqlite(database, 'c.db')
    expect(versionOf(database)).toMatchObject({ user_version: sqlMigrations.sqlite.length })
    migrateSqlite(database, 'c.db')
    expect(database.prepare('SELECT * FROM conversations').all()).toEqual([])
    database.close()
  })

  test('a migration that fails leaves the file at the version that it had', () => {
    const database = open()
    database.exec('CREATE TABLE requests_of (id TEXT)')
    expect(() => migrateSqlite(database, 'c.db')).toThrow()
    expect(versionOf(database)).toMatchObject({ user_version: 0 })
    expect(() => database.prepare('SELECT * FROM conversations').all()).toThrow()
    database.close()
  })
})
