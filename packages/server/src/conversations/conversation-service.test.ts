import { type Model, middleware, stop } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { makeConversations } from '../../test/make-conversations.ts'

const hangs: Model = {
  id: 'hangs',
  async *stream() {
    await new Promise(() => {})
    yield { type: 'text', text: '' }
  },
}

test('the same key makes one conversation; with another title it is refused', async () => {
  const { conversations } = makeConversations({ store: memoryStore() })
  const made = await conversations.create('ada', { key: 'k', title: 'One' })
  expect((await conversations.create('ada', { key: 'k', title: 'One' })).id).toBe(made.id)
  expect((await conversations.create('bob', { key: 'k', title: 'One' })).id).not.toBe(made.id)
  await expect(conversations.create('ada', { key: 'k', title: 'Two' })).rejects.toMatchObject({
    code: 'idempotency.mismatch',
  })
})

test('an id of the caller’s is theirs; that of somebody else is missing', async () => {
  const { conversations } = makeConversations({ store: memoryStore() })
  const made = await conversations.create('ada', { id: 'mine' })
  expect(await conversations.create('ada', { id: 'mine' })).toBe(made)
  await expect(conversations.create('bob', { id: 'mine' })).rejects.toMatchObject({ code: 'conversation.missing' })
  expect([await conversations.isOwner('ada', 'mine'), await conversations.isOwner('bob', 'mine')]).toEqual([
    true,
    false,
  ])
})

test('a viewer makes no conversation', async () => {
  const { conversations } = makeConversations({}, { vera: 'viewer' })
  await expect(conversations.create('vera', {})).rejects.toMatchObject({ code: 'role.missing' })
})

test('a shared conversation is followed until that is taken back', async () => {
  const { conversations, audit } = makeConversations()
  const conversation = await conversations.create('ada', {})
  const { id } = conversation
  await expect(conversations.view('bob', id)).rejects.toMatchObject({ code: 'conversation.missing' })
  await conversations.share('ada', id, 'bob', 'read')
  expect(await conversations.view('bob', id)).toMatchObject({ id, owner: 'ada', access: 'read' })
  expect(conversations.mayFollow('bob', conversation)).toBe(true)
  await expect(conversations.start('bob', id, { text: 'hi' }, undefined)).rejects.toMatchObject({
    code: 'role.missing',
  })
  await conversations.unshare('ada', id, 'bob')
  expect(conversations.mayFollow('bob', conversation)).toBe(false)
  await expect(conversations.unshare('ada', id, 'bob')).rejects.toMatchObject({ code: 'person.missing' })
  await expect(conversations.share('ada', id, 'ada', 'read')).rejects.toMatchObject({ code: 'person.missing' })
  expect((await audit.list({ limit: 9 })).map(({ act }) => act)).toEqual(['unshared', 'shared'])
})

test('a deleted conversation is gone with its log, its shares and its place in the list', async () => {
  const store = memoryStore()
  const { conversations } = makeConversations({ store })
  const { id } = await conversations.create('ada', {})
  await conversations.share('ada', id, 'bob', 'talk')
  const { turnId } = await conversations.start('ada', id, { text: 'hi' }, undefined)
  await (await conversations.ofTurn('ada', turnId, 'talk')).turn(turnId)
  await conversations.delete('ada', id)
  expect([await store.conversation(id), await conversations.list.page('bob', 9)]).toEqual([undefined, []])
  await expect(conversations.open('ada', id, 'talk')).rejects.toMatchObject({ code: 'conversation.missing' })
  await expect(conversations.ofTurn('ada', turnId, 'talk')).rejects.toMatchObject({ code: 'turn.missing' })
})

test('a conversation that could not be deleted is there as before', async () => {
  const kept = memoryStore()
  let fails = true
  const store = { ...kept, delete: async (id: string) => (fails ? Promise.reject(new Error('disk')) : kept.delete(id)) }
  const { conversations } = makeConversations({ store })
  const { id } = await conversations.create('ada', { title: 'Kept' })
  await expect(conversations.delete('ada', id)).rejects.toThrow('disk')
  expect(await conversations.list.page('ada', 9)).toMatchObject([{ id }])
  fails = false
  await conversations.delete('ada', id)
  expect(await conversations.list.page('ada', 9)).toEqual([])
})

test('a turn is found by its id by those who see its conversation, and acted on while it runs', async () => {
  const { conversations } = makeConversations({ model: hangs })
  const { id } = await conversations.create('ada', {})
  const { turnId } = await conversations.start('ada', id, { text: 'hi' }, undefined)
  const act = { type: 'interrupt', reason: 'enough' } as const
  await expect(conversations.actOnTurn('bob', turnId, act)).rejects.toMatchObject({ code: 'turn.missing' })
  await conversations.actOnTurn('ada', turnId, act)
  await expect(conversations.actOnTurn('ada', turnId, act)).rejects.toMatchObject({ code: 'turn.ended' })
})

test('the decisions of a turn are told while it runs here, and by the log afterwards', async () => {
  const store = memoryStore()
  const no = middleware({ name: 'no', beforeModel: () => stop('not now') })
  const { conversations } = makeConversations({ store, use: [no] })
  const { id } = await conversations.create('ada', {})
  const { turnId } = await conversations.start('ada', id, { text: 'hi' }, undefined)
  await (await conversations.ofTurn('ada', turnId, 'talk')).turn(turnId)
  const told = await conversations.decisions('ada', turnId)
  expect(told).toMatchObject([{ by: 'no', directive: 'stop' }])
  const { conversations: other } = makeConversations({ store })
  expect(await other.decisions('ada', turnId)).toEqual(told)
})
