import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate, serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'

test('a wrong id of a running turn is unknown, and leaves the turn as it is', async () => {
  const held = gate()
  const store = memoryStore()
  const server = await serve({ model: scriptedModel([() => held.opened.then(() => 'late')]), store }, { store })
  const id = await server.newConversation()
  const client = await server.follow(id)
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'x' })
  expect(await server.call('POST', `/api/requests/${turnId}.s0.nobody.q0/answer`, {})).toMatchObject({
    status: 404,
    body: { error: { code: 'request.unknown' } },
  })
  expect((await server.call('POST', `/api/turns/${turnId}/interrupt`)).status).toBe(202)
  expect(await client.until(isOver)).toMatchObject({ type: 'turn.interrupted' })
  held.open()
})

test('a turn that is over is refused', async () => {
  const server = await serve({ model: scriptedModel(['Hi.']) })
  const id = await server.newConversation()
  const client = await server.follow(id)
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'x' })
  await client.until(isOver)
  expect(await server.call('POST', `/api/turns/${turnId}/interrupt`)).toMatchObject({
    status: 409,
    body: { error: { code: 'turn.ended' } },
  })
})
