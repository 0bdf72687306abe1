import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { conversationTitle } from './conversation-title.ts'

test('a conversation without a title is called by its first message', async () => {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel(['Hi.']), store })
  const conversation = agent.conversation()
  await conversation.send('Hello there.')
  const [row] = await store.list({})
  if (!row) throw new Error('no row')
  expect(await conversationTitle(store, row)).toBe('Hello there.')
  expect(await conversationTitle(store, { ...row, title: 'Named' })).toBe('Named')
  expect(await conversationTitle(store, { ...row, head: undefined })).toBe('(empty)')
})
