import { createClient, sharedReader } from 'turnbuckle/client'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'
import { chatRoutes, openAiRoutes } from './client-routes.ts'
import { calls } from './contract.ts'

const missing = { code: 'share.missing', status: 404 }

/** A conversation with two branches, one with a file, and its people. */
async function talk() {
  const store = memoryStore()
  const usage = { inputTokens: 1, outputTokens: 1, cost: 1 }
  const model = scriptedModel([{ text: 'Ok.', usage }], { repeat: true })
  const tokens = 'alice:a-token:owner,bob:b-token:member'
  const server = await serve({ model, store }, { store, token: undefined, tokens })
  const [alice, bob] = ['a-token', 'b-token'].map(token => createClient({ url: server.url, token }))
  if (!alice || !bob) throw new Error('Two people.')
  const { id } = await alice.createConversation('Trip')
  const file = await alice.uploadFile(new Blob(['abc'], { type: 'image/png' }), 'map.png')
  const socket = await server.join('a-token')
  await socket.ask({ type: 'subscribe', conversationId: id, after: 0 })
  for (const turn of [
    { text: 'one', attachments: [file] },
    { text: 'two', parentId: null },
  ]) {
    await socket.ask({ type: 'send', conversationId: id, ...turn })
    await socket.until(isOver)
  }
  const { nodes } = await alice.conversation(id)
  const open = (url: string) => {
    const [, shareId = '', token = ''] = /^\/s\/([^#]+)#share=(.+)$/.exec(url) ?? []
    return { shareId, token, ...sharedReader({ url: server.url, shareId, token }) }
  }
  return { server, alice, bob, id, file, nodes, open, ids: nodes.map(node => node.id) }
}

test('a link opens no file of another conversation, though a message of it has the address', async () => {
  const { server, bob, file, open } = await talk()
  const part = { type: 'file', mediaType: 'image/png', data: `turnbuckle-file:${file.id}` }
  const message = { id: 'u', role: 'user', content: [part] }
  const exported = {
    format: 'turnbuckle',
    version: 1,
    id: 'c',
    title: 't',
    head: 'u',
    nodes: [{ id: 'u', at: 1, message }],
  }
  const body = JSON.stringify(exported)
  const asBob = { authorization: 'Bearer b-token', 'content-type': 'application/json' }
  const imported = await fetch(`${server.url}/api/import`, { method: 'POST', headers: asBob, body })
  const { id } = (await imported.json()) as { id: string }
  const { shareId, token } = open((await bob.shareLink(id)).url)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${server.url}/api/shared/${shareId}/files/${file.id}`, { headers })
  expect(answer.status).toBe(404)
})

test('a link shows one branch, or the tree as it grows, without costs', async () => {
  const { alice, id, ids, nodes, open } = await talk()
  const branch = open((await alice.shareLink(id, ids[1])).url)
  const tree = open((await alice.shareLink(id)).url)
  const shown = await branch.read()
  expect(shown).toMatchObject({ title: 'Trip', what: 'branch', head: ids[1] })
  expect(shown.nodes.map(node => node.id)).toEqual([ids[0], ids[1]])
  expect(nodes[1]).toHaveProperty('usage')
  expect(shown.nodes[1]).not.toHaveProperty('usage')
  expect((await tree.read()).nodes.map(node => node.id)).toEqual(ids)
  await alice.hideMessage(id, ids[0] ?? '')
  expect((await tree.read()).nodes.map(node => node.id)).toEqual(ids.slice(2))
  await expect(branch.read()).rejects.toMatchObject(missing)
})

test('a link shows the files of its messages and no others', async () => {
  const { alice, id, ids, file, open } = await talk()
  const [first, second] = [open((await alice.shareLink(id, ids[1])).url), open((await alice.shareLink(id, ids[3])).url)]
  expect(await (await first.readFile(file.id)).text()).toBe('abc')
  await expect(second.readFile(file.id)).rejects.toMatchObject({ code: 'file.missing' })
})

test('a revoked link shows nothing, nor one whose conversation or maker is gone; its list has no token', async () => {
  const { server, alice, bob, id, open } = await talk()
  const { id: shareId, url } = await alice.shareLink(id)
  const link = open(url)
  expect(await alice.shareLinks(id)).toEqual([
    { id: shareId, what: 'tree', by: 'alice', createdAt: expect.any(Number) },
  ])
  await expect(bob.shareLinks(id)).rejects.toMatchObject({ code: 'conversation.missing' })
  await expect(bob.revokeShareLink(id, shareId)).rejects.toMatchObject({ code: 'conversation.missing' })
  await alice.revokeShareLink(id, shareId)
  await expect(link.read()).rejects.toMatchObject(missing)
  await expect(alice.revokeShareLink(id, shareId)).rejects.toMatchObject({ code: 'share.missing' })
  const again = open((await alice.shareLink(id)).url)
  await alice.deleteConversation(id)
  await expect(again.read()).rejects.toMatchObject(missing)
  const own = (await bob.createConversation('Bob’s')).id
  const bobs = open((await bob.shareLink(own)).url)
  expect(await bobs.read()).toMatchObject({ title: 'Bob’s' })
  await server.call('DELETE', '/api/people/bob', undefined, { authorization: 'Bearer a-token' })
  await expect(bobs.read()).rejects.toMatchObject(missing)
})

test('who may only talk in a conversation does not make links of it', async () => {
  const { alice, bob, id } = await talk()
  await alice.sharePerson(id, 'bob', 'talk')
  await expect(bob.shareLink(id)).rejects.toMatchObject({ code: 'role.missing' })
  await expect(alice.shareLink(id, 'nothing')).rejects.toMatchObject({ code: 'message.missing' })
})

test('the token of a link opens its link, and nothing else of the server', async () => {
  const { server, alice, id, open } = await talk()
  const { shareId, token } = open((await alice.shareLink(id)).url)
  const other = await alice.shareLink(id)
  const refused = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    return answer.status
  }
  const paths = { id, name: 'alice', messageId: 'x', shareId }
  const filled = (path: string) => path.replace(/:(\w+)/g, (_, name: keyof typeof paths) => paths[name])
  // The calls of our own wire, of the AI SDK's clients and of OpenAI's.
  for (const { method, path } of Object.values({ ...calls, ...chatRoutes, ...openAiRoutes }))
    expect([method, path, await refused(method.toUpperCase(), filled(path))]).toEqual([method, path, 401])
  for (const path of [`/api/conversations/${id}/events`, '/api/openapi.json'])
    expect([path, await refused('GET', path)]).toEqual([path, 401])
  expect(await refused('POST', '/ag-ui', '{}')).toBe(401)
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
  expect(await refused('POST', '/api/chat', JSON.stringify({ id, message }))).toBe(401)
  expect(await refused('POST', '/v1/responses', JSON.stringify({ input: 'hi', conversation: id }))).toBe(401)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect([method, await refused(method, `/api/shared/${shareId}`)]).toEqual([method, 401])
  expect(await refused('GET', `/api/shared/${other.id}`)).toBe(404)
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/socket`, [`turnbuckle.${token}`])
  await expect(
    new Promise((resolve, reject) => {
      socket.on('open', resolve)
      socket.on('error', reject)
    }),
  ).rejects.toThrow('401')
  for (const wrong of ['a-token', `${token}x`])
    await expect(sharedReader({ url: server.url, shareId, token: wrong }).read()).rejects.toMatchObject(missing)
})
