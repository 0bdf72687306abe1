import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { besides } from '../text/own-words.ts'
import { conversationTitle } from './conversation-title.ts'

test('a conversation without a title is called by the person’s first words', async () => {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel(['Hi.']), store })
  const conversation = agent.conversation()
  await conversation.send({ role: 'user', content: [{ type: 'text', text: 'Hello there.' }, besides('I ran ls.')] })
  const [row] = await store.list({})
  if (!row) throw new Error('no row')
  expect(await conversationTitle(store, row)).toBe('Hello there.')
  expect(await conversationTitle(store, { ...row, title: 'Named' })).toBe('Named')
  expect(await conversationTitle(store, { ...row, head: undefined })).toBe('(empty)')
})
