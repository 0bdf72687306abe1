import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { recordedView } from './recorded-view.ts'

test('a view has the head and title of the conversation, and leaves its messages unread', async () => {
  const conversation = createAgent({ model: scriptedModel(['Hi.']) }).conversation()
  await conversation.send('Go.')
  conversation.title = 'Talk'
  const view = recordedView(conversation)
  expect(view).toMatchObject({ id: conversation.id, title: 'Talk', head: conversation.head })
  expect(view.nodes.size).toBe(0)
})
