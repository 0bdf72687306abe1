import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from 'turnbuckle'
import { type ConversationStore, memoryStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyEventAgent, isKept, tellEveryEvent } from '../every-event.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'

let postgres: TestPostgres
const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-again-'))
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places: Readonly<Record<string, () => Promise<() => ConversationStore>>> = {
  async memory() {
    const store = memoryStore()
    return () => store
  },
  sqlite: async () => () => sqliteStore(join(folder, 'again.db')),
  async postgres() {
    const url = await postgres.schema('again')
    return () => postgresStore(url)
  },
}

test.each(Object.keys(places))('%s: every event that is read again is the one that was heard', async kind => {
  const open = await (places[kind] as (typeof places)[string])()
  const store = open()
  const agent = everyEventAgent({ store })
  const heard: Event[] = []
  await agent.open('c')
  agent.conversation('c').subscribe(event => void (event.seq !== undefined && heard.push(event)))
  await tellEveryEvent(agent, 'c')
  await store.close()
  const again = open()
  expect(await again.events('c')).toStrictEqual(heard)
  await again.close()
  const types = new Set(heard.map(({ type }) => type))
  expect(Object.entries(isKept).flatMap(([type, kept]) => (kept && !types.has(type as never) ? [type] : []))).toEqual(
    [],
  )
})
