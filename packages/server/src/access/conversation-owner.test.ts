import { agentTool, createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { conversationOwner, defaultOwner, indexSpace } from './conversation-owner.ts'

test('a conversation belongs to the person of its index entry; without an entry to the one person of a terminal', async () => {
  const store = memoryStore()
  await store.set(indexSpace, 'c', { owner: 'alice', createdAt: 1 })
  expect([await conversationOwner(store, 'c'), await conversationOwner(store, 'd')]).toEqual(['alice', defaultOwner])
})

test('a sub-agent’s conversation belongs to the person whom it works for', async () => {
  const store = memoryStore()
  const helper = createAgent({ name: 'helper', model: scriptedModel(['Done']), store })
  const model = scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Help' }, id: 'c1' }] }, 'Done'])
  const agent = createAgent({ model, store, tools: [agentTool(helper, { name: 'helper' })] })
  const conversation = await agent.open('c')
  await store.set(indexSpace, 'c', { owner: 'alice', createdAt: 1 })
  const { id } = conversation.send('Go')
  await conversation.kept()
  await expect.poll(() => conversationOwner(store, `${id}.c1`)).toBe('alice')
})
