import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { type Commit, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-thread-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const commit = (conversation: string, change: Partial<Commit> = {}): Commit => {
  const records = [{ seq: 1, turn: undefined, type: 'my.event', body: { at: 1 } }]
  const lease = { holder: 'elsewhere/1/x', fence: undefined, leaseMs: 60_000, release: false }
  return { conversation, ...lease, head: undefined, records, ...change }
}

test('a store in a file answers later, and at once where somebody cannot wait', async () => {
  const { driver, close } = sqliteStore(join(folder, 'later.db'))
  const committed = driver.commit(commit('a'))
  expect(committed).toBeInstanceOf(Promise)
  await committed
  expect(driver.conversation('a')).toBeInstanceOf(Promise)
  expect(driver.atOnce?.conversation('a')).toMatchObject({ id: 'a', seq: 1 })
  await close()
})

test('a conversation is had without a wait, also one that another agent has just written', async () => {
  const store = sqliteStore(join(folder, 'sync.db'))
  await createAgent({ model: scriptedModel(['Hi.']), store })
    .conversation('c')
    .send('Hello.')
  const again = createAgent({ model: scriptedModel([]), store }).conversation('c')
  expect(again.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  await store.close()
})

test('a refusal keeps its code and its words on the way out of the thread', async () => {
  const store = sqliteStore(join(folder, 'refused.db'))
  await store.driver.commit(commit('a'))
  const refused = (async () => store.driver.commit(commit('a', { holder: 'other' })))()
  await expect(refused).rejects.toMatchObject({
    code: 'conversation.locked',
    kind: 'store',
    message: expect.stringContaining('elsewhere/1/x'),
  })
  await store.close()
})

test('what rides along is written when the store is closed, if nothing else came', async () => {
  const path = join(folder, 'riding.db')
  const store = sqliteStore(path)
  const riding = store.set('space', 'key', { a: 1 }, undefined, true)
  await store.close()
  await riding
  const again = sqliteStore(path)
  expect(await again.get('space', 'key')).toEqual({ a: 1 })
  await again.close()
})

test('a closed store refuses what comes, and may be closed again', async () => {
  const store = sqliteStore(join(folder, 'closed.db'))
  await store.set('space', 'key', 1)
  await store.close()
  await expect((async () => store.get('space', 'key'))()).rejects.toMatchObject({ code: 'store.closed' })
  await store.close()
})

test('calls that come while the thread is busy are all answered, in their order', async () => {
  const { driver, close } = sqliteStore(join(folder, 'busy.db'))
  const answered: number[] = []
  const waves: Promise<unknown>[] = []
  for (let wave = 0; wave < 20; wave++) {
    waves.push(Promise.resolve(driver.commit(commit(`c${wave}`))).then(() => answered.push(wave)))
    await new Promise(resolve => setImmediate(resolve))
  }
  await Promise.all(waves)
  expect(answered).toEqual(Array.from({ length: 20 }, (_, i) => i))
  expect(await driver.conversation('c19')).toMatchObject({ n: 1 })
  await close()
})
