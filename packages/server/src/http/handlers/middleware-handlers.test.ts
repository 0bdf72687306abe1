import { middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { asks, settled } from '../../../test/asking.ts'
import { type Served, serve } from '../../../test/serve.ts'

let server: Served

test('owners alone switch a guard or for everyone; the switch survives a restart and moves nothing in the list', async () => {
  const store = memoryStore()
  const [plain, own] = [middleware({ name: 'plain' }), { store, token: 'a', tokens: 'bob:b' }]
  const agent = { model: scriptedModel(['Hi.'], { repeat: true }), store, use: [asks, plain], breaker: false } as const
  server = await serve(agent, own)
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const bob = (await server.call('POST', '/api/conversations', {}, as('b'))).body.id
  const mine = await server.newConversation()
  const flip = async (name: string, body: object, token = 'a') => {
    const { status, body: told } = await server.call('PATCH', `/api/middleware/${name}`, body, as(token))
    return told.error?.code ?? status
  }
  expect(await flip('asks', { enabled: false }, 'b')).toBe('role.missing')
  expect(await flip('asks', { enabled: false, conversationId: bob }, 'b')).toBe('role.missing')
  expect(await flip('plain', { enabled: false }, 'b')).toBe('role.missing')
  expect(await flip('plain', { enabled: false, conversationId: mine }, 'b')).toBe('conversation.missing')
  expect(await flip('plain', { enabled: false, conversationId: bob }, 'b')).toBe(200)
  const { turnId } = (await server.call('POST', `/api/conversations/${mine}/turns`, { text: 'Hi' })).body
  await settled(server, mine, turnId)
  const updated = async () => (await server.call('GET', '/api/conversations')).body.conversations[0].updatedAt
  const before = await updated()
  const stored = (await store.conversation(mine))?.updatedAt
  expect(await flip('asks', { enabled: false, conversationId: mine })).toBe(200)
  expect(await flip('plain', { enabled: false })).toBe(200)
  expect(await updated()).toBe(before)
  await server.close()
  server = await serve(agent, own)
  expect(await updated()).toBe(stored)
  const list = async (token: string) =>
    (await server.call('GET', '/api/middleware', undefined, as(token))).body.middleware
  expect(await list('a')).toMatchObject([
    { name: 'asks', enabled: true, inConversations: { [mine]: false }, switchable: ['conversation', 'everyone'] },
    { name: 'plain', enabled: false, switched: [{ by: 'me' }] },
  ])
  const [asked, other] = await list('b')
  expect([asked.inConversations, asked.switchable, other.switchable]).toEqual([undefined, [], ['conversation']])
  await server.call('DELETE', `/api/conversations/${mine}`)
  expect((await store.entries('server.middleware')).map(([key]) => JSON.parse(key))).not.toContainEqual(['asks', mine])
})

test('a middleware is switched while the server runs', async () => {
  server = await serve({ model: scriptedModel([]), use: [asks] })
  expect((await server.call('PATCH', '/api/middleware/asks', { enabled: false })).body).toMatchObject({
    name: 'asks',
    enabled: false,
  })
  expect(server.agent.middleware.find(({ name }) => name === 'asks')?.enabled).toBe(false)
  expect((await server.call('PATCH', '/api/middleware/none', { enabled: false })).status).toBe(404)
  expect((await server.call('GET', '/api/permissions')).body).toEqual({ permissions: [] })
  expect((await server.call('DELETE', '/api/permissions/none')).status).toBe(404)
})
