import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** The tables of a database of schema 2, with a conversation. */
const schema2 = [
  'CREATE TABLE conversations (id TEXT PRIMARY KEY, title TEXT, owner TEXT, head TEXT, seq INTEGER NOT NULL, n INTEGER NOT NULL, created_at DOUBLE PRECISION NOT NULL, updated_at DOUBLE PRECISION NOT NULL, input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0, cost DOUBLE PRECISION DEFAULT 0, fence INTEGER NOT NULL, holder TEXT, lease_until DOUBLE PRECISION NOT NULL)',
  'CREATE TABLE records (conversation TEXT NOT NULL, n INTEGER NOT NULL, seq INTEGER, turn TEXT, type TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (conversation, n))',
  'CREATE UNIQUE INDEX records_seq ON records (conversation, seq)',
  'CREATE INDEX records_turn ON records (turn)',
  'CREATE TABLE nodes (conversation TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, depth INTEGER NOT NULL, turn TEXT, at DOUBLE PRECISION NOT NULL, message TEXT NOT NULL, usage TEXT, state TEXT, hidden INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, n INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (conversation, id))',
  'CREATE TABLE turns (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, status TEXT NOT NULL, started_at DOUBLE PRECISION NOT NULL)',
  'CREATE INDEX turns_conversation ON turns (conversation)',
  'CREATE INDEX turns_status ON turns (status)',
  'CREATE TABLE states (conversation TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (conversation, name))',
  'CREATE TABLE requests (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, turn TEXT, kind TEXT NOT NULL, payload TEXT NOT NULL, opened_at DOUBLE PRECISION NOT NULL, deadline DOUBLE PRECISION)',
  'CREATE TABLE entries (space TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, expires_at DOUBLE PRECISION, PRIMARY KEY (space, name))',
  `INSERT INTO conversations VALUES ('c', 'Trip', 'ann', 'm2', 3, 4, 1, 2, 10, 20, 0.5, 7, NULL, 0)`,
  `INSERT INTO records VALUES ('c', 1, 1, 't1', 'turn.started', '{"at":5}'), ('c', 2, NULL, 't1', 'note.turn', '{"guards":[]}'),
    ('c', 3, 2, 't1', 'message.added', '{"at":5,"messageId":"m1"}'), ('c', 4, 3, 't1', 'message.added', '{"at":6,"messageId":"m2"}')`,
  `INSERT INTO nodes VALUES ('c', 'm1', NULL, 1, 't1', 5, '{"id":"m1","role":"user","content":[{"type":"text","text":"To Oslo"}]}', NULL, NULL, 0, 'To Oslo', 3),
    ('c', 'm2', 'm1', 2, 't1', 6, '{"id":"m2","role":"user","content":[]}', NULL, '{"x":1}', 0, '', 4)`,
  "INSERT INTO turns VALUES ('t1', 'c', 'open', 5)",
  `INSERT INTO requests VALUES ('q1', 'c', 't1', 'permission', '"x"', 5, NULL)`,
  `INSERT INTO conversations VALUES ('turn_7.call_1', NULL, NULL, NULL, 3, 3, 1, 2, 0, 0, 0, 1, NULL, 0)`,
  `INSERT INTO records VALUES ('turn_7.call_1', 1, 1, 't2', 'request.opened', '{"at":5,"requestId":"q.2","kind":"choice","payload":"\\u0000 \\ud83d \\\\u0000"}'),
    ('turn_7.call_1', 2, 2, 't2', 'request.answered', '{"at":6,"requestId":"q.2"}'), ('turn_7.call_1', 3, 3, 't2', 'request.opened', '{"at":7}')`,
]
/** A damaged record of schema 2. PostgreSQL has none. */
const damaged = `INSERT INTO records VALUES ('turn_7.call_1', 4, NULL, 't2', 'request.opened', '{"at":')`

async function keepsAll(store: ConversationStore): Promise<void> {
  expect(await store.turns({})).toEqual([{ id: 't1', conversation: 'c', status: 'open', startedAt: 5 }])
  expect(await store.requests()).toMatchObject([{ id: 'q1', conversation: 'c', turn: 't1', payload: 'x' }])
  const closed = { id: 'q.2', conversation: 'turn_7.call_1', turn: 't2', kind: 'choice', payload: null, openedAt: 5 }
  expect(await store.requests({ closed: true })).toEqual([closed])
  expect((await store.conversation('turn_7.call_1'))?.caller).toBe('turn_7')
  expect((await store.conversation('c'))?.caller).toBe(undefined)
  const usage = { inputTokens: 10, outputTokens: 20, cost: 0.5 }
  expect(await store.conversation('c')).toMatchObject({ title: 'Trip', owner: 'ann', head: 'm2', seq: 3, n: 4, usage })
  expect((await store.driver.records('c', { turn: 't1' })).map(({ n, type }) => [n, type])).toEqual([
    [1, 'turn.started'],
    [2, 'note.turn'],
    [3, 'message.added'],
    [4, 'message.added'],
  ])
  expect((await store.events('c', 1)).map(({ seq }) => seq)).toEqual([2, 3])
  expect((await store.path('c', 'm2')).map(({ id, state }) => [id, state])).toEqual([
    ['m1', undefined],
    ['m2', { x: 1 }],
  ])
  expect(await store.search({ text: 'OSLO' })).toMatchObject([{ conversation: 'c', node: { id: 'm1' } }])
  const other = { holder: 'h', leaseMs: 0, release: true, head: undefined }
  const event = { seq: 4, turn: undefined, type: 'title.changed', body: { to: 'Travel' } }
  expect(await store.driver.commit({ conversation: 'c', fence: undefined, records: [event], ...other })).toMatchObject({
    fence: 8,
    n: 5,
  })
  expect(await store.driver.commit({ conversation: 'd', fence: undefined, records: [], ...other })).toMatchObject({
    fence: 1,
    n: 0,
  })
  expect((await store.conversation('c'))?.title).toBe('Travel')
  await store.close()
}

test('a file of schema 2 keeps all it has', async () => {
  const path = join(folder, 'old.db')
  const old = raw(path)
  for (const sql of [...schema2, damaged, 'PRAGMA user_version = 2']) old.exec(sql)
  old.close()
  await keepsAll(sqliteStore(path))
})

test('a database of schema 2 keeps all it has', async () => {
  const url = await postgres.schema('older')
  const [, schema] = /search_path%3D(\w+)/.exec(url) ?? []
  const version = [
    'CREATE TABLE turnbuckle_schema (version INTEGER NOT NULL)',
    'INSERT INTO turnbuckle_schema VALUES (2)',
  ]
  await postgres.query([`SET search_path = ${schema}`, ...schema2, ...version, 'RESET search_path'].join('; '))
  await keepsAll(postgresStore(url))
})

interface Raw {
  exec(sql: string): void
  close(): void
}
const raw = (path: string): Raw => new (createRequire(import.meta.url)('libsql') as new (path: string) => Raw)(path)
