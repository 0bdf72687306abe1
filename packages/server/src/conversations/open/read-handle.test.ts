import { createAgent } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { readHandle } from './read-handle.ts'

async function written(ahead: number) {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel(['Hi.']), store })
  await (await agent.open('c')).send('hi')
  let reads = 0
  const busy: ConversationStore = {
    ...store,
    channel: {} as ConversationStore['channel'] & object,
    events(...of) {
      reads++
      return store.events(...of)
    },
    async conversation(id) {
      const row = await store.conversation(id)
      return row && { ...row, seq: row.seq + (reads <= ahead ? 1 : 0) }
    },
  }
  return { agent, store: busy, reads: () => reads }
}

test('a log that another process writes to meanwhile is read until handle and events agree', async () => {
  const { agent, store, reads } = await written(2)
  const { handle, events } = await readHandle({ agent, store }, 'c', () => 0)
  expect(reads()).toBe(3)
  expect(handle.tree).toHaveLength(2)
  expect(events.at(-1)?.type).toBe('turn.completed')
})

test('a process that writes faster than this one reads is not waited for', async () => {
  const { agent, store, reads } = await written(Infinity)
  await readHandle({ agent, store }, 'c', () => 0)
  expect(reads()).toBe(5)
})
