import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TurnbuckleError } from 'turnbuckle'
import { afterAll, expect, test } from 'vitest'
import { sqlitePackages } from '../../../test/sqlite-packages.ts'
import { openSqlite, readable } from './open-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-open-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('SQLite is there', () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  expect(sqlitePackages.includes('node:sqlite')).toBe(major > 22 || (major === 22 && minor >= 13))
  expect(sqlitePackages).toContain('libsql')
})

test.each(sqlitePackages)('%s makes the folder of a file, and a write-ahead log', driver => {
  const path = join(folder, driver.replace(':', '-'), 'deep', 'c.db')
  const database = openSqlite(path, () => {}, driver)
  database.exec('CREATE TABLE t (a TEXT)')
  expect(existsSync(`${path}-wal`)).toBe(true)
  database.close()
})

test.each(sqlitePackages)('%s takes no parameters, one, and several, null among them', driver => {
  const database = openSqlite(':memory:', () => {}, driver)
  database.prepare('CREATE TABLE t (a TEXT, b REAL)').run()
  database.prepare('INSERT INTO t (a) VALUES (?)').run(null)
  expect(database.prepare('INSERT INTO t VALUES (?, ?), (?, ?)').run('x', 1.5, 'y', null)).toMatchObject({ changes: 2 })
  const rows = database.prepare('SELECT b FROM t WHERE a = ?').all('x')
  const all = [...database.prepare('SELECT a FROM t').iterate()]
  expect([rows, all]).toMatchObject([[{ b: 1.5 }], [{ a: null }, { a: 'x' }, { a: 'y' }]])
  database.close()
})

test('a database that cannot be made ready is closed again, with the error of who made it ready', () => {
  const own = new TurnbuckleError('store.newer', 'Too new.')
  let failed: { prepare(sql: string): unknown } | undefined
  const prepare = (database: { prepare(sql: string): unknown }): void => {
    failed = database
    throw own
  }
  expect(() => openSqlite(':memory:', prepare)).toThrow(own)
  expect(() => failed?.prepare('SELECT 1')).toThrow()
})

test.each([
  { says: 'attempt to write a readonly database', code: 'store.readonly' },
  { says: 'EACCES: permission denied', code: 'store.readonly' },
  { says: 'database is locked', code: 'store.locked' },
  { says: 'database or disk is full', code: 'store.full' },
  { says: 'database disk image is malformed', code: 'store.damaged' },
  { says: 'file is not a database', code: 'store.damaged' },
  { says: 'disk I/O error', code: 'store.unwritable' },
  { says: 'unable to open database file', code: 'store.unreachable' },
  { says: 'no such column: x', code: 'store.failed' },
])('"$says" is $code, and the message names the file', ({ says, code }) => {
  const cause = new Error(says)
  expect(readable(cause, 'c.db')).toMatchObject({
    code,
    cause,
    kind: 'store',
    message: expect.stringContaining('"c.db"'),
  })
})

test('a folder that cannot be made is named, with the reason', () => {
  writeFileSync(join(folder, 'a-file'), '')
  expect(() => openSqlite(join(folder, 'a-file/in/c.db'), () => {})).toThrow(
    expect.objectContaining({
      code: 'store.readonly',
      message: expect.stringMatching(/a-file\/in" .*cannot be made: .*ENOTDIR/),
    }),
  )
})
