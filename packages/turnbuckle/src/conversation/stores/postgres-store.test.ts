import { postgresStore } from 'turnbuckle/stores'
import { storeConformance } from 'turnbuckle/testing'
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
