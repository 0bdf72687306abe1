import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { makeConversations } from '../../../test/make-conversations.ts'

test('a conversation is called by its first message until somebody names it', async () => {
  const { conversations } = makeConversations({ store: memoryStore() })
  const conversation = await conversations.create('ada', {})
  expect(conversation.title).toBe('')
  const { turnId } = await conversation.start({ text: 'How far is the moon?' }, 'ada')
  await conversation.turn(turnId)
  expect(conversation.summary()).toMatchObject({ title: 'How far is the moon?', running: false, waiting: 0 })
  await conversation.change({ title: 'Moon' })
  expect(conversation.view().title).toBe('Moon')
})

test('a conversation is in use while somebody follows it', async () => {
  const { conversations } = makeConversations({ store: memoryStore() })
  const conversation = await conversations.create('ada', {})
  expect(conversation.isUnused).toBe(true)
  const leave = conversation.follow(0, { tell() {}, end() {} } as never)
  expect(conversation.isUnused).toBe(false)
  leave()
  expect(conversation.isUnused).toBe(true)
})
