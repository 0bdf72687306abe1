import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { conversationOwner, defaultOwner, indexSpace } from './conversation-owner.ts'

test('a conversation belongs to the person of its index entry; without an entry to the one person of a terminal', async () => {
  const store = memoryStore()
  await store.set(indexSpace, 'c', { owner: 'alice', createdAt: 1 })
  expect([await conversationOwner(store, 'c'), await conversationOwner(store, 'd')]).toEqual(['alice', defaultOwner])
})
