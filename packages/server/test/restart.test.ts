import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpAgent } from '@ag-ui/client'
import type { Ids, Model } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { type ConversationStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { agentTool } from 'turnbuckle/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { add, callsAdd } from './adding.ts'
import { callsHelper, createHelper } from './helping.ts'
import { gate, type Served, serve } from './serve.ts'
import { isOver } from './socket-client.ts'

let folder: string
let server: Served
let store: ConversationStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-server-'))
})
afterEach(async () => {
  await server?.close()
  await store?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A server on the folder's database, as after a start of the program. `reading`: how long it takes to read a log. */
async function start(model: Model, reading?: (id: string) => Promise<void> | undefined): Promise<void> {
  const opened = sqliteStore(join(folder, 'conversations.db'), { leaseMs: 100 })
  const events: ConversationStore['events'] = async (id, ...rest) => {
    await reading?.(id)
    return opened.events(id, ...rest)
  }
  store = reading ? { ...opened, events } : opened
  server = await serve({ model, store, tools: [add], use: [approval()] }, { store })
}
/** What a shutdown does: clients are let go, the log is closed, nothing is finished. */
async function shutDown(): Promise<void> {
  await server.close()
  await store.close()
}

test('conversations survive a restart: list, title, tree, search, events from any number', async () => {
  await start(scriptedModel(['Hello Ada.']))
  const { id } = (await server.call('POST', '/api/conversations', {})).body
  const empty = (await server.call('POST', '/api/conversations', { title: 'Empty' })).body.id
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'I am Ada' }, { 'idempotency-key': 'k' })
  await client.until(isOver)
  const before = (await server.call('GET', `/api/conversations/${id}`)).body
  const { turnId } = client.events[0]
  const events = client.events
  client.close()
  await shutDown()
  await start(scriptedModel([]))
  const { conversations } = (await server.call('GET', '/api/conversations')).body
  expect(conversations.map((one: { id: string }) => one.id).sort()).toEqual([id, empty].sort())
  expect(conversations.find((one: { id: string }) => one.id === id)).toMatchObject({
    title: 'I am Ada',
    running: false,
  })
  // Only the time of reading is another.
  expect((await server.call('GET', `/api/conversations/${id}`)).body).toEqual({ ...before, at: expect.any(Number) })
  expect((await server.call('GET', '/api/search?q=hello')).body.results).toMatchObject([{ conversationId: id }])
  expect((await server.call('GET', `/api/turns/${turnId}/explain`)).body.decisions).toEqual([])
  const { spans } = (await server.call('GET', `/api/turns/${turnId}/trace`)).body
  expect(spans.at(-1)).toMatchObject({ kind: 'stage', stage: 'turn', depth: 0 })
  const again = await server.follow(id, 2)
  await again.until(isOver)
  expect(again.events).toEqual(events.slice(2))
  again.close()
  const repeated = await server.call(
    'POST',
    `/api/conversations/${id}/turns`,
    { text: 'I am Ada' },
    { 'idempotency-key': 'k' },
  )
  expect(repeated).toMatchObject({ status: 202, body: { turnId } })
})

test('a turn that waits for an answer is parked by a shutdown and goes on after it', async () => {
  await start(scriptedModel([callsAdd]))
  const { id } = (await server.call('POST', '/api/conversations', {})).body
  const client = await server.follow(id)
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })).body
  const { requestId } = await client.until(({ type }) => type === 'request.opened')
  const seen = client.events
  client.close()
  await shutDown()
  await start(scriptedModel(['Five.']))
  const view = (await server.call('GET', `/api/conversations/${id}`)).body
  expect(view.turns).toMatchObject([{ id: turnId, status: 'running' }])
  expect(view.requests).toMatchObject([{ id: requestId, kind: 'permission' }])
  expect((await server.call('POST', `/api/conversations/${id}/turns`, { text: 'x' })).body.error.code).toBe(
    'turn.running',
  )
  const back = await server.follow(id, seen.at(-1).seq)
  expect((await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })).status).toBe(200)
  expect(await back.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'Five.', turnId })
  const all = [...seen, ...back.events]
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1))
  back.close()
  await shutDown()
  await start(scriptedModel(['Next.']))
  expect(await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'deny' })).toMatchObject({
    status: 409,
    body: { error: { code: 'request.answered' }, decision: { decision: 'allow' } },
  })
  const last = await server.follow(id, all.length)
  const next = await server.call('POST', `/api/conversations/${id}/turns`, { text: 'and on' })
  expect(next).toMatchObject({ status: 202, body: { seq: all.length + 1 } })
  await last.until(isOver)
  const { nodes, head } = (await server.call('GET', `/api/conversations/${id}`)).body
  expect(nodes.map((node: { message: { role: string } }) => node.message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
  ])
  expect(head).toBe(nodes.at(-1).id)
  last.close()
})

test('a server listens before it has gone on with what was left, and who opens a conversation does not wait for others', async () => {
  await start(scriptedModel([callsAdd], { repeat: true }))
  const [slow, quick] = [await server.newConversation('slow'), await server.newConversation('quick')]
  const asked = new Map<string, string>()
  for (const id of [slow, quick]) {
    const client = await server.follow(id)
    await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })
    asked.set(id, (await client.until(({ type }) => type === 'request.opened')).requestId)
  }
  await shutDown()
  const held = gate()
  await start(scriptedModel(['Five.', 'Five.']), id => (id === slow ? held.opened : undefined))
  const watcher = await server.join()
  await watcher.ask({ type: 'watch' })
  const { conversations } = (await server.call('GET', '/api/conversations')).body
  expect(conversations.map(({ running }: { running: boolean }) => running)).toEqual([true, true])
  const answer = (id: string) => server.call('POST', `/api/requests/${asked.get(id)}/answer`, { decision: 'allow' })
  const client = await server.follow(quick)
  expect((await server.call('POST', `/api/conversations/${quick}/turns`, { text: 'x' })).body.error.code).toBe(
    'turn.running',
  )
  expect((await answer(quick)).status).toBe(200)
  expect(await client.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'Five.' })
  held.open()
  const waits = await watcher.until(({ conversation }) => conversation?.id === slow)
  expect(waits.conversation).toMatchObject({ running: true, waiting: 1 })
  expect((await answer(slow)).status).toBe(200)
  await watcher.until(({ conversation }) => conversation?.id === slow && !conversation.running)
})

test('a server that is closed while it goes on with what was left begins nothing more', async () => {
  await start(scriptedModel([callsAdd]))
  const id = await server.newConversation()
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'add' })
  await client.until(({ type }) => type === 'request.opened')
  await shutDown()
  const held = gate()
  await start(scriptedModel([]), () => held.opened)
  await server.close()
  held.open()
  await new Promise(resolve => setImmediate(resolve))
  const chat = await server.agent.open(id)
  expect(chat.unfinished).toHaveLength(1)
})

test('what was hidden and deleted stays so after a restart', async () => {
  await start(scriptedModel(['One.', 'Two.']))
  const { id } = (await server.call('POST', '/api/conversations', {})).body
  const gone = (await server.call('POST', '/api/conversations', { title: 'Gone' })).body.id
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'a' })
  await client.until(isOver)
  const reply = (await server.call('GET', `/api/conversations/${id}`)).body.nodes[1].id
  expect((await server.call('DELETE', `/api/conversations/${id}/messages/${reply}`)).status).toBe(204)
  expect((await server.call('DELETE', `/api/conversations/${gone}`)).status).toBe(204)
  client.close()
  await shutDown()
  await start(scriptedModel([]))
  expect((await server.call('GET', `/api/conversations/${id}`)).body.nodes).toHaveLength(1)
  expect((await server.call('GET', `/api/conversations/${gone}`)).status).toBe(404)
  expect((await server.call('GET', '/api/conversations')).body.conversations).toHaveLength(1)
})

test('an AG-UI client resumes an interrupt of a server that has been restarted since', async () => {
  const client = () =>
    new HttpAgent({ url: `${server.url}/ag-ui`, threadId: 'thread', headers: { authorization: 'Bearer secret' } })
  await start(scriptedModel([callsAdd]))
  const before = client()
  before.addMessage({ id: 'u', role: 'user', content: 'add' })
  const ends: { outcome?: unknown }[] = []
  await before.runAgent({}, { onRunFinishedEvent: ({ event }) => void ends.push(event) })
  const [{ outcome } = {}] = ends
  const { interrupts } = outcome as { interrupts: { id: string }[] }
  const interruptId = interrupts[0]?.id ?? ''
  await shutDown()
  await start(scriptedModel(['Five.']))
  const after = client()
  const { newMessages } = await after.runAgent({
    resume: [{ interruptId, status: 'resolved', payload: { decision: 'allow' } }],
  })
  expect(newMessages.map(({ role, content }) => `${role}: ${content}`)).toEqual(['tool: 5', 'assistant: Five.'])
})

/** Ids of the caller's that tell nothing, and look as if they did. */
const opaqueIds: Ids = { next: () => `0.conv_${randomUUID()}.s9a9` }

/** A server whose agent gives its work to another one, which asks. */
async function startWithHelper(model: Model, helping: Model, kept: boolean): Promise<void> {
  store = sqliteStore(join(folder, 'conversations.db'), { leaseMs: 100 })
  const helper = createHelper(kept ? store : undefined, helping)
  const tools = [agentTool(helper, { name: 'helper' })]
  server = await serve({ model, store, tools, ids: opaqueIds }, { store })
}

test.each([
  { helper: 'in the store', kept: true },
  { helper: 'in memory', kept: false },
])('a sub-agent’s question ($helper) stays answered after a restart: the first answer wins', async ({ kept }) => {
  await startWithHelper(scriptedModel([callsHelper, 'It is five.']), scriptedModel([callsAdd, 'Five.']), kept)
  const id = await server.newConversation()
  const client = await server.follow(id)
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'help' })).body
  const { requestId, turnId: askedIn } = await client.until(({ type }) => type === 'request.opened')
  expect(askedIn).toBe(turnId)
  const answer = (decision: string) => server.call('POST', `/api/requests/${requestId}/answer`, { decision })
  expect((await answer('allow')).status).toBe(200)
  await client.until(isOver)
  await shutDown()
  await startWithHelper(scriptedModel([]), scriptedModel([]), kept)
  expect(await answer('deny')).toMatchObject({
    status: 409,
    body: { error: { code: 'request.answered' }, decision: { decision: 'allow' } },
  })
})

test.each([
  { whose: 'the library’s', ids: {} },
  { whose: 'opaque', ids: { ids: opaqueIds } },
])(
  'a sub-agent’s conversation is no entry of the list, and its owner is the caller’s (ids: $whose)',
  async ({ ids }) => {
    store = sqliteStore(join(folder, 'conversations.db'))
    server = await serve(
      {
        model: scriptedModel([callsHelper, 'It is five.']),
        store,
        tools: [agentTool(createHelper(store), { name: 'helper' })],
        ...ids,
      },
      { store, token: undefined, tokens: 'alice:secret' },
    )
    const { id } = (await server.call('POST', '/api/conversations', {})).body
    const client = await server.follow(id)
    await server.call('POST', `/api/conversations/${id}/turns`, { text: 'help' })
    const { requestId } = await client.until(({ type }) => type === 'request.opened')
    expect((await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })).status).toBe(200)
    expect(await client.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'It is five.' })
    client.close()
    const { conversations } = (await server.call('GET', '/api/conversations')).body
    expect(conversations.map((one: { id: string }) => one.id)).toEqual([id])
    expect((await store.list()).length).toBe(2)
  },
)
