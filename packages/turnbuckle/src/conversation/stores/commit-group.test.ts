import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { SqlDriver } from '../sql/sql-driver.ts'
import { openWhole } from '../sqlite/open-readable.ts'
import { SqliteExecutor } from '../sqlite/sqlite-executor.ts'
import { commitGroup, type WaitingWrite } from './commit-group.ts'
import type { Commit } from './driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-group-'))
const opened: SqliteExecutor[] = []
afterEach(() => {
  for (const executor of opened.splice(0)) executor.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function open(name: string, maxBytes?: number) {
  const path = join(folder, name)
  const executor = new SqliteExecutor(openWhole(path, { driver: undefined, maxBytes }), path)
  opened.push(executor)
  const driver = new SqlDriver(executor)
  const committing = (conversation: string, change: Partial<Commit> = {}): WaitingWrite => {
    const records = [{ seq: 1, turn: undefined, type: 'my.event', body: { at: 1 } }]
    const lease = { holder: 'h', fence: undefined, leaseMs: 60_000, release: false }
    return {
      unsynced: false,
      write: () => driver.commit({ conversation, ...lease, head: undefined, records, ...change }),
    }
  }
  const there = async () => (await driver.list({ limit: 10 })).map(({ id }) => id).sort()
  return { executor, driver, committing, there }
}

test('a member that is refused is undone alone', async () => {
  const { executor, committing, there } = open('refused.db')
  commitGroup(executor, [committing('a', { holder: 'elsewhere/1/x' })])
  const written = commitGroup(executor, [
    committing('b'),
    committing('a'),
    committing('c', { records: [] }),
    committing('d'),
  ])
  expect(written).toMatchObject([
    { result: { fence: 1, n: 1 } },
    { error: { code: 'conversation.locked' } },
    { result: { fence: 1, n: 0 } },
    { result: { fence: 1, n: 1 } },
  ])
  expect(await there()).toEqual(['a', 'b', 'c', 'd'])
})

test('what a refused member had changed before it was refused is not there', async () => {
  const { executor, driver, committing, there } = open('undone.db')
  const conflict = committing('b', { records: [{ seq: 7, turn: undefined, type: 'my.event', body: {} }] })
  expect(commitGroup(executor, [committing('a'), conflict])[1]).toMatchObject({ error: { code: 'store.conflict' } })
  expect(await there()).toEqual(['a'])
  expect(await driver.conversation('b')).toBeUndefined()
})

test('where the database itself fails, each is tried on its own', async () => {
  const { executor, committing, there } = open('full.db', 200_000)
  const long = { records: [{ seq: 1, turn: undefined, type: 'my.event', body: { text: 'x'.repeat(400_000) } }] }
  const written = commitGroup(executor, [committing('a'), committing('b', long), committing('c')])
  expect(written).toMatchObject([{ result: { n: 1 } }, { error: { code: 'store.full' } }, { result: { n: 1 } }])
  expect(await there()).toEqual(['a', 'c'])
})
