import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type Served, serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'

async function run(server: Served, conversationId: string, text: string): Promise<void> {
  const client = await server.follow(conversationId)
  const { turnId } = await client.ask({ type: 'send', conversationId, text })
  await client.until(event => event.turnId === turnId && isOver(event))
}

test('what is hidden is missing: no head, no parent, and nothing to hide again, whatever is below it', async () => {
  const server = await serve({ model: scriptedModel(['One.', 'Two.']) })
  const { id } = (await server.call('POST', '/api/conversations', {})).body
  for (const text of ['a', 'b']) await run(server, id, text)
  const { nodes } = (await server.call('GET', `/api/conversations/${id}`)).body
  await server.call('DELETE', `/api/conversations/${id}/messages/${nodes[2].id}`)
  for (const hidden of [nodes[2].id, nodes[3].id])
    for (const [method, path, body] of [
      ['PATCH', '', { head: hidden }],
      ['POST', '/turns', { text: 'c', parentId: hidden }],
      ['DELETE', `/messages/${hidden}`, undefined],
    ] as const)
      expect(await server.call(method, `/api/conversations/${id}${path}`, body)).toMatchObject({
        status: 404,
        body: { error: { code: 'message.missing' } },
      })
  expect((await server.call('GET', `/api/conversations/${id}`)).body).toMatchObject({ head: nodes[1].id })
})

test('hiding is taken back: what was hidden with its subtree is there again, and others hear of it', async () => {
  const server = await serve({ model: scriptedModel(['Hi.']) })
  const id = await server.newConversation()
  await run(server, id, 'one')
  const nodes = async () => (await server.call('GET', `/api/conversations/${id}`)).body.nodes
  const [first, second] = await nodes()
  const at = (messageId: string) => `/api/conversations/${id}/messages/${messageId}`
  expect((await server.call('POST', `${at(first.id)}/restore`)).status).toBe(404)
  await server.call('DELETE', at(first.id))
  expect(await nodes()).toEqual([])
  const hidden = async () => (await server.call('GET', `/api/conversations/${id}/hidden`)).body.hidden
  expect(await hidden()).toEqual([{ messageId: first.id, text: 'one', count: 2 }])
  expect((await server.call('POST', `${at(first.id)}/restore`)).status).toBe(204)
  expect(await hidden()).toEqual([])
  expect(await nodes()).toEqual([first, second])
  const socket = await server.follow(id)
  expect(await socket.until(({ type }) => type === 'message.restored')).toMatchObject({ messageId: first.id })
  const head = await server.call('PATCH', `/api/conversations/${id}`, { head: second.id })
  expect(head.status).toBe(200)
})
