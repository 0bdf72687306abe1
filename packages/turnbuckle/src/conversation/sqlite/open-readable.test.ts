import { type SpawnOptions, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { type ConversationStore, type Loss, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '../../../test/bundle-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-within-'))
let child = ''
beforeAll(async () => {
  chmodSync(folder, 0o755)
  child = await bundleProgram(
    new URL('../../../test/durability/damage-child.ts', import.meta.url),
    'damage-child-readable',
  )
})
afterAll(() => rmSync(child, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const page = 2048
const path = join(folder, 'sound.db')

const agentOn = (store: ConversationStore) => {
  const reply = { text: 'See. '.repeat(200), calls: [{ name: 'note', args: {} }] }
  const model = scriptedModel([({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : reply)], {
    repeat: true,
  })
  return createAgent({ model, tools: [tool({ name: 'note', run: () => 'noted' })], store, breaker: false })
}

beforeAll(async () => {
  const store = sqliteStore(path)
  const agent = agentOn(store)
  for (const id of ['a', 'b']) for (let i = 0; i < 4; i++) await agent.conversation(id).send(`Turn ${i}.`)
  await store.close()
})

/** Numbers of the pages that list the tables: without them nothing can be read. */
function schemaPages(): ReadonlySet<number> {
  const database = new (createRequire(import.meta.url)('libsql'))(path)
  const rows = database.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").all() as { pageno: number }[]
  database.close()
  return new Set(rows.map(({ pageno }) => pageno))
}

/** Everything that is read of a conversation, and what each gave: its value, or the code of its error. */
async function readAll(file: string): Promise<{ readonly read: readonly string[]; readonly loss: boolean }> {
  let loss = false
  const store = sqliteStore(file, {
    onLoss: () => {
      loss = true
    },
  })
  const reads: (() => unknown)[] = [
    () => store.events('a'),
    () => store.events('a', 30),
    () => store.nodes('a'),
    () => agentOn(store).conversation('a').messages,
    () => agentOn(store).conversation('a').tree,
    () => store.turns({ conversation: 'a' }),
    async () => (await store.list()).map(({ id }) => id).sort(),
  ]
  const read: string[] = []
  for (const each of reads)
    try {
      read.push(JSON.stringify(await each()))
    } catch (error) {
      read.push((error as { code: string }).code)
    }
  await store.close()
  return { read, loss }
}

test.each([
  { how: 'zeroed', damage: (bytes: Buffer, at: number) => bytes.fill(0, at, at + page) },
  { how: 'zeroed in its first half', damage: (bytes: Buffer, at: number) => bytes.fill(0, at, at + page / 2) },
  { how: 'zeroed in its second half', damage: (bytes: Buffer, at: number) => bytes.fill(0, at + page / 2, at + page) },
  {
    how: 'overwritten',
    damage: (bytes: Buffer, at: number) => {
      for (let i = at; i < at + page; i++) bytes[i] = (i * 7919) % 251
    },
  },
  {
    how: 'replaced by the one before it',
    damage: (bytes: Buffer, at: number) => bytes.copy(bytes, at, at - page, at),
  },
])('whichever page is $how: what is read is what was written, or an error', async ({ damage }) => {
  const sound = await readAll(path)
  const bytes = readFileSync(path)
  const seen = new Set<string>()
  const schema = schemaPages()
  for (let at = page; at < bytes.length; at += page) {
    if (schema.has(at / page + 1)) continue
    const file = join(folder, 'damaged.db')
    const copy = Buffer.from(bytes)
    damage(copy, at)
    writeFileSync(file, copy)
    const { read, loss } = await readAll(file)
    for (const [i, value] of read.entries()) {
      // Where the loss is shown the readable beginning is less.
      const fate = value === sound.read[i] ? 'as written' : loss && value.startsWith('[') ? 'shown as lost' : value
      expect(fate, `page ${at / page}, read ${i}`).toMatch(/^(as written|shown as lost|store\.damaged)$/)
      seen.add(fate)
    }
    rmSync(file)
  }
  expect([...seen]).toContain('store.damaged')
})

test('in a large file, too, a conversation does not look as if it had never been there', async () => {
  const file = join(folder, 'large.db')
  const store = sqliteStore(file)
  for (const id of ['a', 'b']) await agentOn(store).conversation(id).send('Hello.')
  const { length } = agentOn(store).conversation('a').messages
  await store.set('filling', 'much', 'x'.repeat(17_000_000))
  await store.close()
  const database = new (createRequire(import.meta.url)('libsql'))(file)
  const sql = "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'conversations' AND type = 'index'"
  const [{ rootpage }] = database.prepare(sql).all()
  database.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(page / 2), 0, page / 2, (rootpage - 1) * page + page / 2)
  closeSync(descriptor)
  const told: Loss[] = []
  const damaged = sqliteStore(file, { onLoss: loss => told.push(loss) })
  expect(told).toMatchObject([{ path: file, message: expect.stringContaining('The log is whole') }])
  expect(agentOn(damaged).conversation('a').messages.length).toBe(length)
  await damaged.close()
})

test('a value in the middle of a page that is no longer JSON is damage, too', async () => {
  const bytes = readFileSync(path)
  const at = bytes.indexOf('"role":"user","content":[{"type":"text","text":"Turn 3.')
  const file = join(folder, 'value.db')
  writeFileSync(file, Buffer.from(bytes).fill('x', at, at + 12))
  const store = sqliteStore(file)
  const reads = [() => store.events('a'), () => store.nodes('a')]
  const codes = await Promise.all(
    reads.map(async read => {
      try {
        await read()
        return 'read'
      } catch (error) {
        return (error as { code: string }).code
      }
    }),
  )
  expect(codes).toContain('store.damaged')
  await store.close()
})

test('a file that is no database is refused with what to do, and left as it is', () => {
  const path = join(folder, 'not.db')
  writeFileSync(path, 'This is a text, and a long one: '.repeat(200))
  expect(() => sqliteStore(path)).toThrow(expect.objectContaining({ code: 'store.damaged', kind: 'store' }))
  expect(readFileSync(path, 'utf8')).toContain('This is a text')
  expect(existsSync(`${path}-wal`)).toBe(false)
})

test('a folder in the place of the file is a typed error that names it', () => {
  expect(() => sqliteStore(folder)).toThrow(
    expect.objectContaining({ kind: 'store', message: expect.stringContaining(folder) }),
  )
})

test('a whole file shows no loss, and was closed with an empty log', async () => {
  const log = `${path}-wal`
  expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
  const store = sqliteStore(path)
  expect(store.loss).toBeUndefined()
  await store.close()
})

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

/** Permissions say nothing to root: the program runs as nobody then. */
const nobody: SpawnOptions = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A new folder, and a store in it with one turn. */
async function storeWithTurn(place: string) {
  mkdirSync(place)
  const path = join(place, 'c.db')
  const store = sqliteStore(path)
  await createAgent({ model: scriptedModel(['Hi.']), store })
    .conversation('c')
    .send('Hello.')
  return { path, store }
}

/** A file with one turn that may be read and not written, or whose folder may not: where SQLite wants to make a file and cannot. */
async function makeReadOnly(place: string, where: 'file' | 'folder'): Promise<string> {
  const { path, store } = await storeWithTurn(place)
  await store.close()
  for (const name of ['', '-wal', '-shm']) if (existsSync(path + name)) chmodSync(path + name, 0o444)
  if (where === 'folder') rmSync(`${path}-shm`, { force: true })
  return path
}

for (const where of ['file', 'folder'] as const)
  test(`a ${where} that cannot be written to can be read; a turn fails with what to do`, async () => {
    const place = join(folder, `readonly-${where}`)
    const path = await makeReadOnly(place, where)
    chmodSync(place, 0o555)
    const told = run(process.execPath, [child, path, '$OUT'], nobody)
    expect(told).toMatchObject({ before: 2, seq: 0, status: 'failed', code: 'store.readonly' })
    chmodSync(place, 0o755)
  })

/** libsql keeps a file open until its statements are forgotten. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const letsGo = major > 22 || (major === 22 && minor >= 13)

test('a write-ahead log that could not be written to, and can be again, is written to: with Node’s own SQLite by the program that has it open, else by the next', async () => {
  const place = join(folder, 'mended-log')
  // Stays open, as in a server of another user.
  const { path, store } = await storeWithTurn(place)
  const logs = [`${path}-wal`, `${path}-shm`]
  const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = nobody
  for (const one of [place, path, ...logs]) chownSync(one, uid, gid)
  for (const log of logs) chmodSync(log, 0o444)
  const told = run(process.execPath, [child, path, '$OUT', '1', 'mend'], nobody)
  expect(told).toMatchObject({ before: 2, status: 'failed', code: 'store.readonly' })
  expect(told['again']).toBe(letsGo ? 'completed' : 'failed')
  expect(run(process.execPath, [child, path, '$OUT'], nobody)).toMatchObject({ status: 'completed' })
  await store.close()
})

for (const where of ['file', 'folder'] as const)
  test(`a ${where} that could not be written to, and can be again, is written to by the program that has it open`, async () => {
    const place = join(folder, `mended-${where}`)
    const path = await makeReadOnly(place, where)
    // As a process leaves it that ends: its empty log goes with the last connection.
    for (const name of ['-wal', '-shm']) rmSync(path + name, { force: true })
    const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = nobody
    for (const one of [place, path]) chownSync(one, uid, gid)
    if (where === 'folder') chmodSync(place, 0o555)
    const told = run(process.execPath, [child, path, '$OUT', '1', 'mend'], nobody)
    expect(told).toMatchObject({ status: 'failed', code: 'store.readonly', again: 'completed', after: 4 })
    const reopened = run(process.execPath, [child, path, '$OUT', '0'], nobody)
    expect(reopened).toMatchObject({ before: 4 })
  })
