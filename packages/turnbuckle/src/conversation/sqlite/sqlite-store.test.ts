import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, tool } from 'turnbuckle'
import { pii } from 'turnbuckle/middleware'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel, storeConformance } from 'turnbuckle/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { sqlitePackages } from '../../../test/sqlite-packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(sqlitePackages)('SQLite of %s', driver => {
  const name = driver.replace(':', '-')
  storeConformance(
    (database, options) => sqliteStore(join(folder, `${name}-${database}.db`), { ...options, driver }),
    test,
  )

  test('what one package wrote the other reads', async () => {
    const path = join(folder, `${name}-both.db`)
    const store = sqliteStore(path, { driver })
    await store.set('space', 'key', 'value')
    await store.close()
    for (const other of sqlitePackages) {
      const again = sqliteStore(path, { driver: other })
      expect(await again.get('space', 'key')).toBe('value')
      await again.close()
    }
  })
})

test.each<{ style: 'redact' | 'block'; status: string }>([
  { style: 'redact', status: 'completed' },
  { style: 'block', status: 'stopped' },
])('what pii takes out ($style) is not in the file, not even as a trace', async ({ style, status }) => {
  const card = '4111 1111 1111 1111'
  const path = join(folder, `pii-${style}.db`)
  const store = sqliteStore(path)
  const look = tool({ name: 'look', run: () => ({ card }) })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.'])
  const turn = createAgent({ model, tools: [look], store, use: pii({ style }) }).send(`Mine is ${card}.`)
  expect(await turn).toMatchObject({ status })
  await store.close()
  expect(readFileSync(path).includes(card)).toBe(false)
})
