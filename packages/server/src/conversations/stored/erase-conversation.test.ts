import { TurnbuckleError, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { callsHelper, createHelper } from '../../../test/helping.ts'
import { serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'
import { storedPermissions } from '../../index.ts'

test('what was allowed for a conversation goes with it; what was allowed for longer, or for another one, stays', async () => {
  const store = memoryStore()
  const permissions = storedPermissions(store)
  const tools = ['one', 'two', 'three'].map(name => tool({ name, run: () => 'ok' }))
  const server = await serve(
    {
      model: scriptedModel([
        { calls: [{ name: 'one' }, { name: 'two' }] },
        'Done.',
        { calls: [{ name: 'three' }] },
        'Done.',
      ]),
      tools,
      store,
      use: [approval({ store: permissions.storeFor })],
    },
    { store, permissions },
  )
  const scopes = new Map([['one', 'conversation'], ['two', 'always'], ['three', 'conversation']]) // biome-ignore format: pairs
  const talk = async () => {
    const conversationId = await server.newConversation()
    const client = await server.follow(conversationId)
    client.socket.on('message', data => {
      const { type, requestId, payload } = JSON.parse(data.toString())
      if (type === 'request.opened')
        void client.ask({ type: 'answer', requestId, decision: 'allow', scope: scopes.get(payload.name) })
    })
    await client.ask({ type: 'send', conversationId, text: 'go' })
    await client.until(isOver)
    return conversationId
  }
  const granted = async () =>
    (await server.call('GET', '/api/permissions')).body.permissions.map((grant: { tool: string }) => grant.tool).sort()
  const first = await talk()
  await talk()
  expect(await granted()).toEqual(['one', 'three', 'two'])
  expect((await server.call('DELETE', `/api/conversations/${first}`)).status).toBe(204)
  expect(await granted()).toEqual(['three', 'two'])
})

test.each([
  { when: 'while a sub-agent asks', answered: false },
  { when: 'after the turn', answered: true },
])('a deleted conversation leaves nothing in the store: $when', async ({ answered }) => {
  const store = memoryStore()
  const helper = createHelper(store)
  const server = await serve(
    { model: scriptedModel([callsHelper, 'It is five.']), store, tools: [agentTool(helper, { name: 'helper' })] },
    { store },
  )
  const [id, other] = [await server.newConversation(), await server.newConversation('Other')]
  const client = await server.follow(id)
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'help' })
  const { requestId } = await client.until(({ type }) => type === 'request.opened')
  expect(await store.list()).toHaveLength(3)
  if (answered) {
    await client.ask({ type: 'answer', requestId, decision: 'allow' })
    await client.until(isOver)
    await expect.poll(() => store.entries('server.traces')).toHaveLength(1)
  }
  expect((await server.call('DELETE', `/api/conversations/${id}`)).status).toBe(204)
  // What still ended then has ended when the agent is closed.
  await server.agent.close()
  await helper.close()
  expect((await store.list()).map(row => row.id)).toEqual([other])
  expect(await store.turns({})).toEqual([])
  expect(await store.entries('server.traces')).toEqual([])
  expect((await server.call('GET', `/api/turns/${turnId}/trace`)).status).toBe(404)
})

test('a conversation that could not be deleted is still its owner’s; a deletion that a process did not finish the next one does', async () => {
  const store = memoryStore()
  const agent = { model: scriptedModel(['Hi.'], { repeat: true }), store }
  const tokens = { alice: 'a'.repeat(32), me: 'b'.repeat(32) }
  const options = { store, tokens: `alice:${tokens.alice},me:${tokens.me}`, token: undefined as never }
  const server = await serve(agent, options)
  const as = async (who: keyof typeof tokens, method: string, path: string, body?: unknown) =>
    server.call(method, path, body, { authorization: `Bearer ${tokens[who]}` })
  const list = async (who: keyof typeof tokens) => (await as(who, 'GET', '/api/conversations')).body.conversations
  const { id } = (await as('alice', 'POST', '/api/conversations', {})).body
  await as('alice', 'POST', `/api/conversations/${id}/turns`, { text: 'private' })
  await expect.poll(async () => (await store.turns({ conversation: id }))[0]?.status).toBe('completed')
  const { driver } = store
  const erase = driver.delete.bind(driver)
  driver.delete = () => {
    driver.delete = erase
    throw new TurnbuckleError('store.failed', 'Not now.', { kind: 'store' })
  }
  expect((await as('alice', 'DELETE', `/api/conversations/${id}`)).status).toBe(503)
  expect([await list('alice'), await list('me')]).toMatchObject([[{ id, title: 'private' }], []])
  expect((await as('alice', 'POST', `/api/conversations/${id}/turns`, { text: 'more' })).status).toBe(202)

  const space = 'server.conversations'
  await store.set(space, id, { ...((await store.get(space, id)) as object), deleting: true })
  expect([await list('alice'), await list('me')]).toEqual([[], []])
  await serve(agent, options)
  expect([await store.conversation(id), await store.get(space, id)]).toEqual([undefined, undefined])
})
