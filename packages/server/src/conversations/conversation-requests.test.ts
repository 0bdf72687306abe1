import { middleware, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { makeConversations } from '../../test/make-conversations.ts'
import type { Role } from '../access/roles.ts'

/** Ada’s conversation with an open request, that a guard puts to whomever `to` names. */
async function asking(to?: readonly string[], roles?: Readonly<Record<string, Role>>) {
  const asks = middleware({
    name: 'asks',
    guard: true,
    async beforeTool(ctx) {
      const payload = { name: ctx.call.name, args: ctx.call.args, scopes: ['once', 'always'] }
      await ctx.ask('permission', payload, { fallback: 'deny', ...(to ? { to } : {}) })
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done'])
  const tools = [tool({ name: 'look', run: () => 'seen' })]
  const made = makeConversations({ model, tools, use: [asks] }, roles)
  const conversation = await made.conversations.create('ada', {})
  const { turnId } = await made.conversations.start('ada', conversation.id, { text: 'go' }, undefined)
  const [request] = await vi.waitFor(() => {
    const { requests } = conversation.view()
    if (!requests.length) throw new Error('There is no request yet.')
    return requests
  })
  return { ...made, id: conversation.id, turn: conversation.turn(turnId), requestId: request?.id ?? '' }
}

const yes = { decision: 'allow', scope: 'once' }

test('a request is answered once, and the answer is in the audit list', async () => {
  const { conversations, audit, turn, requestId } = await asking()
  await conversations.requests.answer('ada', requestId, yes)
  expect(await turn).toMatchObject({ status: 'completed' })
  await expect(conversations.requests.answer('ada', requestId, yes)).rejects.toMatchObject({ code: 'request.answered' })
  expect(await audit.list({ limit: 9 })).toMatchObject([{ by: 'ada', act: 'answered', what: 'look', requestId }])
})

test('a request is foreign to a stranger, unless the conversation is shared to talk in', async () => {
  const { conversations, id, turn, requestId } = await asking()
  const refused = { code: 'request.foreign' }
  await expect(conversations.requests.conversationOf('bob', requestId)).rejects.toMatchObject(refused)
  await conversations.share('ada', id, 'bob', 'read')
  await expect(conversations.requests.answer('bob', requestId, yes)).rejects.toMatchObject(refused)
  await conversations.share('ada', id, 'bob', 'talk')
  await conversations.requests.answer('bob', requestId, yes)
  expect(await turn).toMatchObject({ status: 'completed' })
})

test('a question that names a person is in that person’s list, and in no other', async () => {
  const { conversations, id, turn, requestId } = await asking(['bob'])
  expect(await conversations.requests.to('bob')).toMatchObject([{ id: requestId, conversationId: id, owner: 'ada' }])
  expect(await conversations.requests.to('ada')).toEqual([])
  expect(await conversations.requests.to('cleo')).toEqual([])
  await conversations.requests.answer('bob', requestId, yes)
  await turn
  expect(await conversations.requests.to('bob')).toEqual([])
})

test('a lasting permission is an owner’s to give; a viewer answers nothing', async () => {
  const { conversations, turn, requestId } = await asking(undefined, { vera: 'viewer' })
  const always = { decision: 'allow', scope: 'always' }
  await expect(conversations.requests.answer('ada', requestId, always)).rejects.toMatchObject({ code: 'role.missing' })
  await expect(conversations.requests.answer('vera', requestId, yes)).rejects.toMatchObject({ code: 'role.missing' })
  turn?.interrupt()
  await turn
})

test('an unknown request is unknown, and its id is told in part', async () => {
  const { conversations } = makeConversations()
  const rejected = conversations.requests.answer('ada', 'x'.repeat(1000), yes)
  await expect(rejected).rejects.toMatchObject({ code: 'request.unknown' })
  await rejected.catch(({ message }) => expect(message.length).toBeLessThan(400))
})

test('who let a call run is in the view of a conversation that another server opens', async () => {
  const store = memoryStore()
  const serve = (...script: Parameters<typeof scriptedModel>[0]) =>
    makeConversations({
      model: scriptedModel(script),
      tools: [tool({ name: 'look', run: () => 'seen' })],
      use: [approval()],
      store,
    }).conversations
  const first = serve({ calls: [{ name: 'look' }] }, 'Done')
  const { id } = await first.create('ada', {})
  const { turnId } = await first.start('ada', id, { text: 'go' }, undefined)
  const conversation = await first.open('ada', id, 'talk')
  const [request] = await vi.waitUntil(() => conversation.view().requests.length && conversation.view().requests)
  await first.requests.answer('ada', request?.id ?? '', yes)
  await conversation.turn(turnId)
  expect((await serve().view('ada', id)).calls).toMatchObject([{ answers: [{ decision: 'allow', by: 'ada' }] }])
})
