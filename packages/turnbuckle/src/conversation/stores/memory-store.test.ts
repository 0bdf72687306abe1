import { createStore, type Driver, memoryStore } from 'turnbuckle/stores'
import { storeConformance } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const drivers = new Map<string, Driver>()
storeConformance((database, options) => {
  const driver = drivers.get(database) ?? memoryStore().driver
  drivers.set(database, driver)
  return createStore(driver, options)
}, test)

test('rows that were read do not change with the store, nor the store with them', async () => {
  const store = memoryStore()
  const message = { id: 'm', role: 'user', content: [{ type: 'text', text: 'Go.' }] }
  const records = [{ seq: 1, turn: undefined, type: 'message.added', body: { messageId: 'm', message, at: 1 } }]
  const writer = { holder: 'h', fence: undefined, leaseMs: 0, release: true, head: 'm' }
  await store.driver.commit({ conversation: 'c', ...writer, records })
  const [read] = await store.nodes('c')
  Object.assign(read?.message ?? {}, { role: 'system' })
  message.role = 'tool'
  expect((await store.nodes('c'))[0]?.message.role).toBe('user')
})
