import { createAgent } from 'turnbuckle'
import { postgresStore } from 'turnbuckle/stores'
import { scriptedModel, storeConformance } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts'

let postgres: TestPostgres
const urls = new Map<string, Promise<string>>()
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())
storeConformance(async (database, options) => {
  const url = urls.get(database) ?? postgres.schema(database)
  urls.set(database, url)
  return postgresStore(await url, options)
}, test)

test('a database of a newer version is not opened', async () => {
  const url = await postgres.schema('newer')
  const store = postgresStore(url)
  await store.list()
  await store.close()
  const [, schema] = /search_path%3D(\w+)/.exec(url) ?? []
  await postgres.query(`UPDATE ${schema}.turnbuckle_schema SET version = 1000`)
  const newer = postgresStore(url)
  await expect(newer.list()).rejects.toMatchObject({ code: 'store.newer', kind: 'store' })
})

test('a store keeps its tables in the schema that it is given, and makes that', async () => {
  const url = new URL(await postgres.schema('elsewhere'))
  url.searchParams.delete('options')
  const store = postgresStore(url.href, { schema: 'My_chats' })
  const chat = await createAgent({ model: scriptedModel(['Hi.']), store }).open('c')
  expect(await chat.send('Hello.')).toMatchObject({ status: 'completed' })
  expect((await store.search({ text: 'hello' })).length).toBe(1)
  await chat.delete()
  await store.close()
  const [row] = await postgres.rows('SELECT COUNT(*) AS k FROM "My_chats".conversations')
  expect(Number(row?.['k'])).toBe(0)
  await postgres.query('DROP SCHEMA "My_chats" CASCADE')
})

test('conversations that talk at the same time share transactions', async () => {
  const url = await postgres.schema('group')
  const store = postgresStore(url)
  await store.list()
  const agent = createAgent({ model: scriptedModel(['Hi.'], { repeat: true }), store })
  const chats = await Promise.all(Array.from({ length: 20 }, (_, i) => agent.open(`c${i}`)))
  const turns = await Promise.all(chats.map(chat => chat.send('Hello.')))
  expect(turns.map(({ status }) => status)).toEqual(Array(20).fill('completed'))
  const [, schema] = /search_path%3D(\w+)/.exec(url) ?? []
  // Rows of one transaction have one xmin.
  const [row] = await postgres.rows(
    `SELECT COUNT(DISTINCT xmin::text) AS k, COUNT(*) AS records FROM ${schema}.records`,
  )
  // On a busy machine fewer wait at the same time.
  expect(Number(row?.['k'])).toBeLessThan(Number(row?.['records']) / 4)
  await store.close()
})
