import { createAgent } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { recordedView } from './recorded-view.ts'

test('a view has the messages, head and title of the conversation', async () => {
  const conversation = createAgent({ model: scriptedModel(['Hi.']) }).conversation()
  await conversation.send('Go.')
  conversation.title = 'Talk'
  const view = recordedView(conversation)
  expect([...view.nodes.values()].map(({ message }) => message.role)).toEqual(['user', 'assistant'])
  expect(view).toMatchObject({ id: conversation.id, title: 'Talk', head: conversation.head })
})

test('messages of an unfinished turn are left to its events', async () => {
  const conversation = createAgent({ model: scriptedModel(['Hi.', 'Ho.']) }).conversation()
  await conversation.send('Go.')
  await conversation.send('On.')
  const { tree, head, title } = conversation
  const unfinished = [tree.at(-1)?.turnId]
  const view = recordedView({ id: 'c', title, head, tree, unfinished } as unknown as typeof conversation)
  expect(view.nodes.size).toBe(2)
})
