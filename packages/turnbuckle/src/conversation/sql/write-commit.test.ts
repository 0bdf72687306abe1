import { expect, test } from 'vitest'
import { migrateSqlite } from '../sqlite/migrate-sqlite.ts'
import { connect } from '../sqlite/open-sqlite.ts'
import { SqliteExecutor } from '../sqlite/sqlite-executor.ts'
import type { Commit } from '../stores/driver.ts'
import { holderOf, type KnownPlace, writeCommit } from './write-commit.ts'

function setUp() {
  const database = connect(':memory:')
  migrateSqlite(database, ':memory:')
  const db = new SqliteExecutor(database, ':memory:')
  const write = (commit: Partial<Commit>, known?: KnownPlace) =>
    db.transaction(() =>
      writeCommit(
        {
          conversation: 'c',
          holder: 'h',
          fence: undefined,
          leaseMs: 60_000,
          release: false,
          records: [],
          head: undefined,
          ...commit,
        },
        db,
        known,
      ),
    )
  const records = () => database.prepare('SELECT n, seq, type FROM records ORDER BY n').all()
  return { db, write, records }
}
const event = (seq: number, type = 'my.news', turn?: string, body: object = {}) => ({
  seq,
  turn,
  type,
  body: { at: 1, ...body },
})
const note = (type: string, turn: string, body: object = {}) => ({ seq: undefined, turn, type, body: { ...body } })

test('a writer without a fence gets the next one, and its records the next places', () => {
  const { write } = setUp()
  expect(write({ records: [event(1), event(2)] })).toMatchObject({ fence: 1, n: 2, c: 1 })
  expect(write({ fence: 1, records: [event(3)], release: true })).toMatchObject({ fence: 1, n: 3, c: 1 })
  expect(write({ holder: 'other' })).toMatchObject({ fence: 2, n: 3, c: 1 })
})

test.each([
  {
    what: 'an event whose number does not follow the log',
    commit: { fence: 1, records: [event(5)] },
    code: 'store.conflict',
  },
  {
    what: 'events with a gap between them',
    commit: { fence: 1, records: [event(2), event(4)] },
    code: 'store.conflict',
  },
  { what: 'a commit with an old fence', commit: { fence: 0, records: [event(2)] }, code: 'store.fenced' },
])('$what is refused, and nothing is written', ({ commit, code }) => {
  const { write, records } = setUp()
  write({ records: [event(1)] })
  expect(() => write(commit)).toThrow(expect.objectContaining({ code }))
  expect(records()).toHaveLength(1)
  expect(write({ fence: 1, records: [event(2)] })).toMatchObject({ fence: 1, n: 2, c: 1 })
})

test('checkpoints of a turn that ends in the same commit are not written, but keep their places', () => {
  const { write, records } = setUp()
  const end = event(2, 'turn.completed', 't', { outcome: 'completed' })
  write({ records: [event(1, 'turn.started', 't'), note('note.turn', 't'), note('note.decisions', 't'), end] })
  expect(records()).toMatchObject([
    { n: 1, type: 'turn.started' },
    { n: 3, type: 'note.decisions' },
    { n: 4, type: 'turn.completed' },
  ])
})

test('the raw result of a call is not written with the result that replaces it; that of another call is', () => {
  const { write, records } = setUp()
  const raw = (callId: string) => note('note.raw', 't', { callId, value: 'secret' })
  write({ records: [raw('a'), raw('b'), event(1, 'tool.completed', 't', { callId: 'a' })] })
  expect(records()).toMatchObject([
    { n: 2, type: 'note.raw' },
    { n: 3, type: 'tool.completed' },
  ])
  write({ fence: 1, records: [event(2, 'tool.completed', 't', { callId: 'b' })] })
  expect(records()).toMatchObject([{ n: 3 }, { n: 4 }])
})

test('a commit of more records than one statement takes writes each of them', () => {
  const { write, records } = setUp()
  write({ records: Array.from({ length: 101 }, (_, i) => event(i + 1)) })
  expect(records()).toHaveLength(101)
})

test.each([
  { what: 'living, with a lease', row: { holder: 'h', lease_until: 11 }, alive: true, holder: 'h' },
  { what: 'living, after its lease', row: { holder: 'h', lease_until: 10 }, alive: true, holder: undefined },
  { what: 'dead', row: { holder: 'h', lease_until: 11 }, alive: false, holder: undefined },
  { what: 'nobody', row: { holder: null, lease_until: 0 }, alive: true, holder: undefined },
])('a conversation whose last writer is $what is held by $holder', ({ row, alive, holder }) => {
  const { db } = setUp()
  db.isAlive = () => alive
  expect(holderOf({ ...row, now: 10 }, db)).toBe(holder)
})

test('a commit at the place where the last one has left the conversation moves it on', () => {
  const { write, records } = setUp()
  const first = write({ records: [event(1)] })
  const second = write({ fence: 1, records: [event(2), note('note.raw', 't', { callId: 'a', value: 1 })] }, first)
  expect([first, second]).toMatchObject([
    { n: 1, hasRaw: false },
    { fence: 1, n: 3, c: 1, createdAt: first.createdAt, hasRaw: true },
  ])
  const ended = [event(3, 'tool.completed', 't', { callId: 'a' })]
  expect(write({ fence: 1, records: ended }, second)).toMatchObject({ n: 4, hasRaw: true })
  expect(records().map(row => (row as { n: number }).n)).toEqual([1, 2, 4])
})

test.each([
  { what: 'number of records', place: { n: 7 } },
  { what: 'beginning', place: { createdAt: 1 } },
  { what: 'number', place: { c: 9 } },
])('a conversation that has another $what than the place that is known is read', ({ place }) => {
  const { write } = setUp()
  const first = write({ records: [event(1)] })
  expect(write({ fence: 1, records: [event(2)] }, { ...first, ...place })).toEqual({ ...first, n: 2 })
})

test('a place with an old fence, or before another event, is refused as without it', () => {
  const { write } = setUp()
  const first = write({ records: [event(1)] })
  expect(() => write({ fence: 1, records: [event(5)] }, first)).toThrow(
    expect.objectContaining({ code: 'store.conflict' }),
  )
  write({ fence: 1, records: [], release: true })
  write({ holder: 'other' })
  expect(() => write({ fence: 1, records: [event(2)] }, first)).toThrow(
    expect.objectContaining({ code: 'store.fenced' }),
  )
})
