import { expect, test } from 'vitest'
import { migrateSqlite } from '../sqlite/migrate-sqlite.ts'
import { connect } from '../sqlite/open-sqlite.ts'
import { SqliteExecutor } from '../sqlite/sqlite-executor.ts'
import { SqlDriver } from './sql-driver.ts'

const writer = { holder: 'h', fence: undefined, leaseMs: 0, release: true, head: undefined }

function setUp() {
  const database = connect(':memory:')
  migrateSqlite(database, ':memory:')
  return { database, driver: new SqlDriver(new SqliteExecutor(database, ':memory:')) }
}

/** A log in which each event is followed by so many private notes of an open turn. */
function written(events: number, notes: number) {
  const { database, driver } = setUp()
  const note = { seq: undefined, turn: 't', type: 'note.state', body: {} }
  const records = Array.from({ length: events }, (_, i) => [
    { seq: i + 1, turn: 't', type: i ? 'my.news' : 'turn.started', body: { at: i } },
    ...Array(notes).fill(note),
  ]).flat()
  driver.commit({ conversation: 'c', ...writer, records })
  return { database, driver }
}

test.each([0, 1, 7, 40])('with %i notes between them, events are read on from any number, without a gap', notes => {
  const { driver } = written(100, notes)
  for (const after of [0, 1, 2, 31, 32, 33, 64, 98, 99, 100, 101]) {
    const read = driver.records('c', { after }) as readonly { readonly seq: number }[]
    expect(read.map(({ seq }) => seq)).toEqual(
      Array.from({ length: Math.max(0, 100 - after) }, (_, i) => after + 1 + i),
    )
  }
  expect(driver.records('c', { after: 10, limit: 2 })).toMatchObject([{ seq: 11 }, { seq: 12 }])
})

test.each([1, 50, 100])('an event %i that is gone from the table is an error, and not left out', seq => {
  const { database, driver } = written(100, 0)
  database.exec(`DELETE FROM records WHERE seq = ${seq}`)
  expect(() => driver.records('c', { after: 0 })).toThrow(`Event ${seq} is missing.`)
})

test('the records of a turn are its own, notes included, up to its end', () => {
  const { driver } = written(2, 1)
  const other = { seq: 3, turn: 'u', type: 'my.news', body: {} }
  driver.commit({ conversation: 'c', ...writer, records: [other] })
  const types = (driver.records('c', { turn: 't' }) as readonly { readonly type: string }[]).map(({ type }) => type)
  expect(types).toEqual(['turn.started', 'note.state', 'my.news', 'note.state'])
})

test('a path whose messages follow each other in a ring ends', () => {
  const { database, driver } = setUp()
  const added = (id: string, parentId: string | undefined, seq: number) => ({
    seq,
    turn: undefined,
    type: 'message.added',
    body: { message: { id, role: 'user', content: [] }, messageId: id, parentId, at: seq },
  })
  driver.commit({ conversation: 'c', ...writer, records: [added('a', undefined, 1), added('b', 'a', 2)] })
  database.exec("UPDATE nodes SET parent = 'b' WHERE id = 'a'")
  expect((driver.path('c', 'b') as readonly { readonly id: string }[]).map(({ id }) => id)).toEqual(['a', 'b'])
})

test('a deleted conversation leaves no row in any table', () => {
  const { database, driver } = written(3, 1)
  driver.delete('c')
  for (const table of ['conversations', 'records', 'nodes', 'turns', 'states', 'requests'])
    expect(database.prepare(`SELECT * FROM ${table}`).all(), table).toEqual([])
})
