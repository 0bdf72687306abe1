import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram, root } from '../../../test/bundle-program.ts'
import { TurnbuckleError } from '../../core/base/errors.ts'
import type { Row, Work } from '../sql/executor.ts'
import { openWhole, openWritable } from './open-readable.ts'
import { SqliteExecutor } from './sqlite-executor.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-executor-'))
let child = ''
beforeAll(async () => {
  chmodSync(folder, 0o755)
  child = await bundleProgram(
    new URL('../../../test/durability/damage-child.ts', import.meta.url),
    'damage-child-executor',
  )
})
afterAll(() => rmSync(child, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, args: readonly string[], options: SpawnOptions = {}): Record<string, unknown> {
  const out = join(folder, `out-${Math.random().toString(36).slice(2)}`)
  writeFileSync(out, '')
  chmodSync(out, 0o666)
  const words = args.map(arg => (arg === '$OUT' ? out : arg))
  const { stderr } = spawnSync(command, words, { ...options, encoding: 'utf8' })
  const told = readFileSync(out, 'utf8')
  expect(told, String(stderr)).not.toBe('')
  return JSON.parse(told)
}

test('where the disk takes no more the turn fails, what was told is there, and it goes on with space', async () => {
  const path = join(folder, 'limited.db')
  // The limit of a process on the size of files, in blocks of 512 bytes or 1 KiB: the system itself refuses the write.
  const told = run('sh', ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, child, path, '$OUT', '400'])
  expect(told).toMatchObject({ status: 'failed', code: expect.stringMatching(/^store\.(full|unwritable)$/) })
  const store = sqliteStore(path, { onLoss: () => {} })
  const events = await store.events('c')
  expect(events.length).toBeGreaterThanOrEqual(Number(told['seq']))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  const agent = createAgent({ model: scriptedModel(['On.'], { repeat: true }), store })
  const resumed = agent.resume('c')
  if (resumed) await resumed
  expect((await agent.conversation('c').send('On we go.')).status).toBe('completed')
  expect(checkHistory(agent.conversation('c').messages)).toEqual([])
  await store.close()
})

test('a file that may not grow is full: a typed error, and everything that was told stays', async () => {
  const path = join(folder, 'quota.db')
  const store = sqliteStore(path, { maxBytes: 200_000 })
  const chat = createAgent({ model: scriptedModel(['Well, '.repeat(2000)], { repeat: true }), store }).conversation('c')
  let seq = 0
  chat.subscribe(event => {
    seq = event.seq ?? seq
  })
  let error: unknown
  for (let i = 0; i < 100 && !error; i++) error = (await chat.send('More.').settled).error
  expect(error).toMatchObject({ code: 'store.full', kind: 'store' })
  expect((await store.events('c')).length).toBeGreaterThanOrEqual(seq)
  await store.close()
})

test('a locked database can be read; writing is refused with what to do, and works when the lock is gone', async () => {
  const path = join(folder, 'locked.db')
  const store = sqliteStore(path)
  const agent = createAgent({ model: scriptedModel(['Hi.'], { repeat: true }), store })
  await agent.conversation('c').send('Hello.')
  const script = `const d = new (require('libsql'))(${JSON.stringify(path)}); d.exec('BEGIN EXCLUSIVE'); console.log('held'); process.stdin.once('data', () => { d.exec('ROLLBACK'); process.exit() })`
  const holder = spawn(process.execPath, ['-e', script], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  expect((await store.events('c')).length).toBeGreaterThan(0)
  const result = await agent.conversation('c').send('More.').settled
  expect(result).toMatchObject({ status: 'failed', by: 'store', error: { code: 'store.locked' } })
  holder.stdin.write('go')
  await once(holder, 'exit')
  expect((await agent.conversation('c').send('More.')).status).toBe('completed')
  await store.close()
})

test('a file that cannot be opened anew is read on, and written to once it can be', async () => {
  const path = join(folder, 'newer.db')
  const options = { maxBytes: undefined, driver: undefined }
  const store = sqliteStore(path)
  await createAgent({ model: scriptedModel(['Hi.']), store })
    .conversation('c')
    .send('Hello.')
  await store.close()
  const executor = new SqliteExecutor(openWhole(path, options), path, {
    refusal: new TurnbuckleError('store.readonly', 'It could not be written to.', { kind: 'store' }),
    reopen: letGo => openWritable(path, options, letGo),
  })
  const ids = () =>
    executor.query(function* (): Work<readonly Row[]> {
      return yield ['SELECT id FROM conversations']
    })
  const write = () =>
    executor.transaction(function* (): Work<readonly Row[]> {
      return yield ['SELECT 1 AS done']
    })
  const other = openWhole(path, options)
  const [{ user_version: version }] = other.prepare('PRAGMA user_version').all() as [{ user_version: number }]
  other.exec('PRAGMA user_version = 999')
  for (let i = 0; i < 2; i++) {
    expect(write).toThrow(expect.objectContaining({ code: 'store.readonly' }))
    expect(ids()).toMatchObject([{ id: 'c' }])
  }
  other.exec(`PRAGMA user_version = ${version}`)
  other.close()
  expect(write()).toMatchObject([{ done: 1 }])
  expect(ids()).toMatchObject([{ id: 'c' }])
  executor.close()
})
