import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { exportConversation, importConversation, type Loss, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { checkHistory, scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram, root } from '../bundle-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-damage-'))
let child = ''
beforeAll(async () => {
  chmodSync(folder, 0o755)
  child = await bundleProgram(new URL('damage-child.ts', import.meta.url), 'damage-child')
})
afterAll(() => rmSync(child, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A file that was closed in order: four turns with a call each. */
async function written(name: string): Promise<string> {
  const path = join(folder, name)
  const store = sqliteStore(path)
  const reply = { text: 'See. '.repeat(200), calls: [{ name: 'note', args: {} }] }
  const model = scriptedModel([({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Done.' : reply)], {
    repeat: true,
  })
  const agent = createAgent({ model, tools: [tool({ name: 'note', run: () => 'noted' })], store, breaker: false })
  for (const id of ['a', 'b']) for (let i = 0; i < 12; i++) await agent.conversation(id).send(`Turn ${i}.`)
  await store.close()
  return path
}

const damages = {
  torn: (path: string, keep: number) => truncateSync(path, keep),
  zeroed: (path: string, keep: number) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0, keep))
  },
}

for (const [how, damage] of Object.entries(damages))
  for (const part of [0.5, 0.8, 0.97])
    test(`a file ${how} after ${100 * part} % opens to its readable beginning, shows the loss, and is left as it is`, async () => {
      const whole = await written(`${how}-${part}.db`)
      const sound = sqliteStore(whole)
      const before = await sound.events('a')
      await sound.close()
      const path = join(folder, `${how}-${part}-damaged.db`)
      copyFileSync(whole, path)
      damage(path, Math.floor(statSync(path).size * part))
      const bytes = readFileSync(path)
      const told: Loss[] = []
      const store = sqliteStore(path, { onLoss: loss => told.push(loss) })
      expect(store.loss).toBe(told[0])
      expect(store.loss?.message).toContain('It is open for reading only')
      const events = await store.events('a')
      // A prefix of what there was, event for event.
      expect(events).toEqual(before.slice(0, events.length))
      expect(events.length + (await store.events('b')).length).toBeGreaterThan(0)
      expect(events.length + (await store.events('b')).length).toBe(
        store.loss?.conversations?.reduce((sum, { readable }) => sum + readable, 0),
      )
      await expect((async () => store.delete('a'))()).rejects.toMatchObject({ code: 'store.damaged', kind: 'store' })
      const chat = createAgent({ model: scriptedModel(['On.']), store }).conversation('a')
      expect(await chat.send('On we go.').settled).toMatchObject({ status: 'failed', error: { code: 'store.damaged' } })
      // What can be read can be taken elsewhere, and is valid there.
      const elsewhere = memoryStore()
      await importConversation(elsewhere, await exportConversation(store, 'a'))
      const head = (await elsewhere.conversation('a'))?.head ?? ''
      expect(checkHistory((await elsewhere.path('a', head)).map(({ message }) => message))).toEqual([])
      await store.close()
      expect(readFileSync(path).equals(bytes)).toBe(true)
    })

test('of a file of which nothing can be read nothing is opened', async () => {
  const path = await written('gone.db')
  writeFileSync(path, readFileSync(path).fill(0, 4096))
  expect(() => sqliteStore(path)).toThrow(expect.objectContaining({ code: 'store.damaged' }))
})

test('a folder in the place of the file is a typed error that names it', () => {
  expect(() => sqliteStore(folder)).toThrow(
    expect.objectContaining({ kind: 'store', message: expect.stringContaining(folder) }),
  )
})

test('a whole file shows no loss, and was closed with an empty log', async () => {
  const path = await written('whole.db')
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

/** Permissions say nothing to root: the program runs as nobody then. */
const nobody: SpawnOptions = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

for (const where of ['file', 'folder'] as const)
  test(`a ${where} that cannot be written to can be read; a turn fails with what to do`, async () => {
    const place = join(folder, `readonly-${where}`)
    mkdirSync(place)
    const path = join(place, 'c.db')
    const store = sqliteStore(path)
    await createAgent({ model: scriptedModel(['Hi.']), store })
      .conversation('c')
      .send('Hello.')
    await store.close()
    for (const name of ['', '-wal', '-shm']) if (existsSync(path + name)) chmodSync(path + name, 0o444)
    // Without it SQLite wants to make one, and cannot.
    if (where === 'folder') rmSync(`${path}-shm`, { force: true })
    chmodSync(place, 0o555)
    const told = run(process.execPath, [child, path, '$OUT'], nobody)
    expect(told).toMatchObject({ before: 2, seq: 0, status: 'failed', code: 'store.readonly' })
    chmodSync(place, 0o755)
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
