import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { memoryRates, type RateStore, rateLimit } from 'turnbuckle/middleware'
import { sqliteRates } from 'turnbuckle/stores'
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
const ratesFile = () => opened(sqliteRates(join(folder, 'rates.db')))

const place = { limit: 2, perMs: 1000, maxWaitMs: 1500 }

test.each<{ what: string; open: () => RateStore }>([
  { what: 'memory', open: memoryRates },
  { what: 'a file', open: ratesFile },
])('places are given in the same order by $what', async ({ open }) => {
  const store = open()
  const waits = []
  for (const now of [0, 0, 100, 100, 100, 1000, 2600]) waits.push(await store.take('k', { ...place, now }))
  expect(waits).toEqual([0, 0, 900, 900, undefined, 1000, 0])
  expect(await store.take('other', { ...place, now: 100 })).toBe(0)
})

test('one limit for two processes, and after a restart', async () => {
  const clock = virtualClock()
  const statuses = []
  for (const _ of [1, 2, 3]) {
    const use = [rateLimit({ limit: 2, store: ratesFile() })]
    statuses.push((await createAgent({ model: scriptedModel(['hi']), clock, use }).send('go')).status)
  }
  expect(statuses).toEqual(['completed', 'completed', 'stopped'])
})
