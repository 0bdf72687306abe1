import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type Model } from 'turnbuckle'
import { createClient } from 'turnbuckle/client'
import { type ConversationStore, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type Served, serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'

const tokens = 'alice:a-token:owner,bob:b-token:member,eve:e-token:viewer'
const clientOf = (server: Served, token: string) => createClient({ url: server.url, token })
const picture = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' })
/** The bytes of `picture` as Base64. */
const base64 = 'AQID'

const ok = (): Model => scriptedModel(['Ok.'], { repeat: true })

async function team(store: ConversationStore | 'none' = memoryStore(), model: Model = ok()) {
  const kept = store === 'none' ? {} : { store }
  const server = await serve({ model, ...kept }, { ...kept, token: undefined, tokens })
  const [alice, bob, eve] = ['a-token', 'b-token', 'e-token'].map(token => clientOf(server, token))
  if (!alice || !bob || !eve) throw new Error('Three people.')
  return { server, store: store === 'none' ? undefined : store, alice, bob, eve }
}

/** Sends a message, and gives its id when the turn is over. */
async function said(server: Served, conversationId: string, turn: object): Promise<string> {
  const client = await server.join('a-token')
  await client.ask({ type: 'subscribe', conversationId, after: 0 })
  await client.ask({ type: 'send', conversationId, ...turn })
  await client.until(isOver)
  const { body } = await server.call('GET', `/api/conversations/${conversationId}`)
  return body.nodes.findLast((node: { message: { role: string } }) => node.message.role === 'user').id
}

test('an uploaded file goes with a message: the log has its address, the model its bytes, and a copy its bytes', async () => {
  const read: unknown[] = []
  const model: Model = {
    id: 'reads',
    async *stream({ messages }, { readFile }) {
      const [part] = messages.at(-1)?.content ?? []
      if (part?.type === 'file') read.push(await readFile?.(String(part.data).replace('turnbuckle-file:', '')))
      yield { type: 'text', text: 'Seen.' }
    },
  }
  const { server, alice } = await team(memoryStore(), model)
  const { id } = await alice.createConversation()
  const file = await alice.uploadFile(picture, 'map ü.png')
  await said(server, id, { text: '', attachments: [file] })
  const part = { type: 'file', mediaType: 'image/png', name: 'map ü.png' }
  expect((await alice.conversation(id)).nodes[0]?.message.content).toEqual([
    { ...part, data: `turnbuckle-file:${file.id}` },
  ])
  expect(read).toEqual([base64])
  expect((await alice.exportConversation(id)).nodes[0]?.message.content).toEqual([{ ...part, data: base64 }])
  expect(Buffer.from(await (await alice.readFile(file.id)).arrayBuffer()).toString('base64')).toBe(base64)
})

test('only the uploader uses a file, then only its conversation; those who may read that read it; viewers upload nothing', async () => {
  const { server, alice, bob, eve } = await team()
  const file = await alice.uploadFile(picture)
  const missing = { code: 'file.missing', status: 404 }
  const own = (await bob.createConversation()).id
  await expect(bob.send(own, { text: 'mine', attachments: [file] })).rejects.toMatchObject(missing)
  await expect(bob.readFile(file.id)).rejects.toMatchObject(missing)
  const { id } = await alice.createConversation()
  await said(server, id, { text: 'see', attachments: [file] })
  await expect(bob.readFile(file.id)).rejects.toMatchObject(missing)
  const other = (await alice.createConversation()).id
  await expect(alice.send(other, { text: 'again', attachments: [file] })).rejects.toMatchObject(missing)
  await alice.sharePerson(id, 'bob', 'talk')
  expect((await bob.readFile(file.id)).size).toBe(3)
  await said(server, id, { text: 'see again', attachments: [file] })
  await expect(eve.uploadFile(picture)).rejects.toMatchObject({ code: 'role.missing' })
})

test('a file goes with its conversation, and survives a restart of the server', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'files-')), 'c.db')
  const first = sqliteStore(path)
  const before = await team(first)
  const { id } = await before.alice.createConversation()
  const [used, waiting] = [await before.alice.uploadFile(picture), await before.alice.uploadFile(picture)]
  await said(before.server, id, { text: 'see', attachments: [used] })
  await before.server.close()
  await first.close()
  const { alice, store } = await team(sqliteStore(path))
  expect((await alice.readFile(used.id)).size).toBe(3)
  await alice.deleteConversation(id)
  await expect(alice.readFile(used.id)).rejects.toMatchObject({ code: 'file.missing' })
  expect((await alice.readFile(waiting.id)).size).toBe(3)
  expect((await store?.entries('files'))?.map(([key]) => key)).toEqual([waiting.id])
  await store?.close()
})

test('20 MiB are taken, and not a byte more; other calls stay at one MiB', async () => {
  const { alice, server } = await team()
  const most = 20 * 1024 * 1024
  const { id } = await alice.uploadFile(new Blob([new Uint8Array(most)]))
  expect((await alice.readFile(id)).size).toBe(most)
  await expect(alice.uploadFile(new Blob([new Uint8Array(most + 1)]))).rejects.toMatchObject({ code: 'body.tooLarge' })
  await expect(alice.uploadFile(new Blob([]))).rejects.toMatchObject({ code: 'body.invalid' })
  const long = JSON.stringify({ title: 'x'.repeat(1024 * 1024) })
  expect((await server.call('POST', '/api/conversations', long)).status).toBe(413)
})

test('without a store a message gets the bytes themselves', async () => {
  const { server, alice } = await team('none')
  const { id } = await alice.createConversation()
  await said(server, id, { text: 'see', attachments: [await alice.uploadFile(picture)] })
  expect((await alice.conversation(id)).nodes[0]?.message.content[1]).toMatchObject({ data: base64 })
})

test('no script runs from a file that was uploaded', async () => {
  const { server, alice } = await team()
  const page = await alice.uploadFile(new Blob(['<script>alert(1)</script>'], { type: 'text/html' }), 'a"b.html')
  const { headers } = await fetch(`${server.url}/api/files/${page.id}`, {
    headers: { authorization: 'Bearer a-token' },
  })
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''a%22b.html",
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})

test('an exported conversation is imported with its branches and files, as JSON or Markdown, as a new one of the person', async () => {
  const { server, alice, bob } = await team()
  const { id } = await alice.createConversation('Trip')
  const large = await alice.uploadFile(new Blob([new Uint8Array(100_000)], { type: 'image/png' }))
  const first = await said(server, id, { text: 'see', attachments: [large] })
  await said(server, id, { text: 'other', parentId: null })
  const { nodes, ...copy } = await alice.exportConversation(id)
  const file = {
    format: 'turnbuckle',
    version: 1,
    id: copy.id,
    title: copy.title,
    head: copy.head ?? undefined,
    nodes: nodes.map(({ id: nodeId, parentId, createdAt, message }) => ({
      id: nodeId,
      parent: parentId ?? undefined,
      at: createdAt,
      message,
    })),
  }
  const imported = await bob.importConversation(JSON.stringify(file))
  expect(imported.id).not.toBe(id)
  const got = await bob.conversation(imported.id)
  expect(got).toMatchObject({ title: 'Trip', head: copy.head })
  expect(got.nodes.map(node => node.id)).toEqual(nodes.map(node => node.id))
  const part = got.nodes.find(node => node.id === first)?.message.content.find(({ type }) => type === 'file')
  const data = part?.type === 'file' ? String(part.data) : ''
  expect(data).toMatch(/^turnbuckle-file:/)
  expect((await bob.readFile(data.replace('turnbuckle-file:', ''))).size).toBe(100_000)
  await expect(alice.conversation(imported.id)).rejects.toMatchObject({ code: 'conversation.missing' })
  const written = await bob.importConversation('# Tale\n\n## User\n\nHello.\n\n## Assistant\n\nYes?\n')
  expect((await bob.listConversations()).map(({ title }) => title)).toContain('Tale')
  expect((await bob.conversation(written.id)).nodes).toHaveLength(2)
})

test('a file that is no conversation is refused with the reason, and leaves nothing', async () => {
  const { alice, store } = await team()
  const long = { type: 'file', mediaType: 'image/png', data: 'A'.repeat(80_000) }
  const bad = { format: 'turnbuckle', version: 1, id: 'x', nodes: [{ message: { content: [long] } }] }
  await expect(alice.importConversation(JSON.stringify(bad))).rejects.toMatchObject({
    code: 'import.invalid',
    status: 422,
    message: expect.stringContaining('nodes[0]'),
  })
  await expect(alice.importConversation('Dear all')).rejects.toMatchObject({ code: 'import.invalid' })
  await expect(alice.importConversation(`${'['.repeat(5000)}`)).rejects.toMatchObject({ status: 422 })
  expect(await alice.listConversations()).toEqual([])
  expect(await store?.entries('files')).toEqual([])
})

test('an address of another conversation’s file in an imported one opens nothing', async () => {
  const { server, alice, bob } = await team()
  const { id } = await alice.createConversation()
  const file = await alice.uploadFile(picture)
  await said(server, id, { text: 'see', attachments: [file] })
  const part = { type: 'file', mediaType: 'image/png', data: `turnbuckle-file:${file.id}` }
  const nodes = [{ id: 'm', at: 1, message: { id: 'm', role: 'user', content: [part] } }]
  const forged = await bob.importConversation(JSON.stringify({ format: 'turnbuckle', version: 1, id: 'x', nodes }))
  expect((await bob.exportConversation(forged.id)).nodes[0]?.message.content[0]).toMatchObject({ type: 'text' })
  await expect(bob.readFile(file.id)).rejects.toMatchObject({ code: 'file.missing' })
})

test('an agent of the library reads kept files from the same store', async () => {
  const { server, store, alice } = await team()
  const { id } = await alice.createConversation()
  const file = await alice.uploadFile(picture)
  await said(server, id, { text: 'see', attachments: [file] })
  const got: unknown[] = []
  const model: Model = {
    id: 'reads',
    async *stream(_, { readFile }) {
      got.push(await readFile?.(file.id))
      yield { type: 'text', text: 'Seen.' }
    },
  }
  await createAgent({ model, ...(store ? { store } : {}) })
    .conversation('another')
    .send('Hi.')
  expect(got).toEqual([undefined])
})
