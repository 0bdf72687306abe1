import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { type CacheStore, memoryCache, modelCache, toolCache } from 'turnbuckle/middleware'
import { sqliteCache } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
let closing: (() => void)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-'))
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
  closing = []
  rmSync(folder, { recursive: true, force: true })
})

function opened<Store extends { close(): void }>(store: Store): Store {
  closing.push(() => store.close())
  return store
}
const cacheFile = (options = {}) => opened(sqliteCache(join(folder, 'cache.db'), options))

test('a reply and a result of yesterday are there today', async () => {
  let ran = 0
  const look = tool({ name: 'look', run: () => ({ found: ++ran }) })
  const day = async () => {
    const store = sqliteCache(join(folder, 'cache.db'))
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, ({ messages }) => `${messages.length} seen`])
    const use = [modelCache({ store }), toolCache({ tools: ['look'], store, key: () => 'all' })]
    const { text } = await createAgent({ model, tools: [look], use }).send('Look.')
    store.close()
    return { text, asked: model.prompts.length }
  }
  expect(await day()).toEqual({ text: '3 seen', asked: 2 })
  expect(await day()).toEqual({ text: '3 seen', asked: 0 })
  expect(ran).toBe(1)
})

test('a reply is good for so long, also over a restart', async () => {
  const clock = virtualClock()
  const model = scriptedModel(['hi'], { repeat: true })
  for (const wait of [0, 99, 1]) {
    await clock.advance(wait)
    await createAgent({ model, clock, use: [modelCache({ ttlMs: 100, store: cacheFile() })] }).send('a')
  }
  expect(model.prompts).toHaveLength(2)
})

test.each<{ what: string; open: () => CacheStore }>([
  { what: 'in memory', open: () => memoryCache({ max: 2 }) },
  { what: 'in a file', open: () => cacheFile({ max: 2 }) },
])('what was not used longest makes room: $what', ({ open }) => {
  const store = open()
  store.set('a', 1)
  store.set('b', { deep: [null, 'x'] })
  store.get('a')
  store.set('c', 3)
  expect(['a', 'b', 'c'].map(key => store.get(key))).toEqual([1, undefined, 3])
  store.set('c', { deep: [null, 'x'] })
  expect(store.get('c')).toEqual({ deep: [null, 'x'] })
})

test('two processes share a file, and bytes come back as bytes', () => {
  const [one, two] = [cacheFile(), cacheFile()]
  const reply = [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([0, 255, 128]) }]
  one.set('picture', reply)
  expect(two.get('picture')).toEqual(reply)
  expect(two.get('missing')).toBeUndefined()
})
