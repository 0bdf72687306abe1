import { agentTool, createAgent, type Ids } from 'turnbuckle'
import { type Client, createClient } from 'turnbuckle/client'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { callOf, serve } from './serve.ts'
import { isOver } from './socket-client.ts'

const tokens = 'ada:ada-token:owner,bob:bob-token:member,dan:dan-token:member'
const missing = { status: 404, code: 'conversation.missing' }

/** Ada’s agent waits for her leave to call a scout. Bob may read, and so knows the turn and the call. */
async function waiting(ids?: Ids) {
  const store = memoryStore()
  const scouted = scriptedModel(['The scout’s secret.'], { repeat: true })
  const scout = createAgent({ name: 'scout', model: scouted, store })
  const asked = [{ calls: [{ name: 'look', id: 'c1', args: { task: 'Ada’s plan.' } }] }, 'Done.', 'Forged.']
  const server = await serve(
    {
      model: scriptedModel(asked, { repeat: true }),
      store,
      tools: [agentTool(scout, { name: 'look' })],
      use: [approval()],
      ...(ids ? { ids } : {}),
    },
    { store, token: undefined, tokens },
  )
  const as = (name: string): Client => createClient({ url: server.url, token: `${name}-token` })
  const [ada, bob] = [as('ada'), as('bob')]
  const { id } = await ada.createConversation('Trip')
  await ada.sharePerson(id, 'bob', 'read')
  const socket = await server.join('ada-token')
  await socket.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await socket.ask({ type: 'send', conversationId: id, text: 'Go.' })
  const { requestId } = await socket.until(({ type }) => type === 'request.opened')
  const { turns, requests } = await bob.conversation(id)
  const subAgent = `${turns[0]?.id}.${(requests[0]?.payload as { id: string } | undefined)?.id}`
  /** Ada takes the sharing back, and allows the call. Gives its result. */
  const allow = async () => {
    await ada.unsharePerson(id, 'bob')
    await ada.answer(requestId, { decision: 'allow' })
    await socket.until(isOver)
    const { nodes } = await ada.conversation(id)
    return nodes.flatMap(({ message }) => message.content).find(({ type }) => type === 'result')
  }
  return { server, store, scouted, ada, bob, subAgent, allow }
}

const parts = [{ type: 'text', text: 'Mine.' }]
const doors: { door: string; path: string; body: (id: string) => object }[] = [
  {
    door: 'a chat of the AI SDK',
    path: '/api/chat',
    body: id => ({ id, message: { id: 'm', role: 'user', parts } }),
  },
  {
    door: 'a chat of the AI SDK that goes on',
    path: '/api/chat',
    body: id => ({ id, messages: [{ id: 'm', role: 'assistant', parts }] }),
  },
  {
    door: 'an AG-UI run',
    path: '/ag-ui',
    body: threadId => ({ threadId, runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Mine.' }] }),
  },
  {
    door: 'a response of OpenAI’s form',
    path: '/v1/responses',
    body: conversation => ({ model: 'm', input: 'Mine.', conversation }),
  },
]
const ownIds = (): Ids => {
  let count = 0
  return { next: () => `own.${++count}` }
}

test.each(
  doors.flatMap(one => [
    { ...one, ids: undefined, named: 'by default' },
    { ...one, ids: ownIds(), named: 'by the agent' },
  ]),
)('$door cannot begin a sub-agent’s conversation, with ids $named', async ({ path, body, ids }) => {
  const { server, ada, bob, subAgent, allow } = await waiting(ids)
  const headers = { authorization: 'Bearer bob-token', 'content-type': 'application/json' }
  const refused = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body(subAgent)) })
  expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'conversation.missing' } }])
  expect(await bob.listConversations()).toHaveLength(1)
  expect(await allow()).toMatchObject({ status: 'ok', value: 'The scout’s secret.' })
  await expect(bob.conversation(subAgent)).rejects.toMatchObject(missing)
  await expect(bob.sharePerson(subAgent, 'dan', 'read')).rejects.toMatchObject(missing)
  await expect(bob.deleteConversation(subAgent)).rejects.toMatchObject(missing)
  expect((await ada.conversation(subAgent)).nodes).toHaveLength(2)
})

test('a sub-agent’s conversation is its caller’s owner’s, also where an entry names another person', async () => {
  const { store, ada, bob, subAgent, allow } = await waiting()
  await store.set('server.conversations', subAgent, { owner: 'bob', createdAt: 1, said: 'Mine.' })
  expect(await allow()).toMatchObject({ status: 'ok', value: 'The scout’s secret.' })
  await expect(bob.conversation(subAgent)).rejects.toMatchObject(missing)
  await expect(bob.sharePerson(subAgent, 'dan', 'read')).rejects.toMatchObject(missing)
  await expect(bob.deleteConversation(subAgent)).rejects.toMatchObject(missing)
  expect(await bob.listConversations()).toEqual([])
  expect((await ada.conversation(subAgent)).nodes).toHaveLength(2)
})

test('a call is not answered from a conversation that was begun under the sub-agent’s id for something else', async () => {
  const { store, scouted, subAgent, allow } = await waiting()
  const other = createAgent({ model: scriptedModel(['Forged.']), store })
  await (await other.open(subAgent)).send('Mine.')
  await other.close()
  const result = await allow()
  expect(result).toMatchObject({ status: 'error' })
  expect(JSON.stringify(result)).toContain('was not begun for this call')
  expect(scouted.prompts).toEqual([])
})

test('whoever may talk in a conversation talks in its sub-agents’ by their ids, once those have begun', async () => {
  const { server, ada, subAgent, allow } = await waiting()
  await allow()
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'm', input: 'And?', conversation: subAgent })
  const answered = await fetch(`${server.url}/v1/responses`, { method: 'POST', headers, body })
  expect([answered.status, await answered.json()]).toMatchObject([200, { conversation: { id: subAgent } }])
  expect((await ada.conversation(subAgent)).nodes).toHaveLength(4)
  expect((await ada.listConversations()).map(one => one.title)).toEqual(['Trip'])
})

const far = { type: 'file', mediaType: 'image/png', url: 'https://example.org/a.png' }
const decided = { type: 'tool-x', toolCallId: 'c', state: 'approval-responded', approval: { id: 'q', approved: true } }
test.each<{ what: string; path: string; body: object; status: number }>([
  {
    what: 'a chat that ends with an answer',
    path: '/api/chat',
    body: { id: 'new', messages: [{ id: 'm', role: 'assistant', parts }] },
    status: 400,
  },
  {
    what: 'a chat with a decision on a call that nobody made',
    path: '/api/chat',
    body: { id: 'new', messages: [{ id: 'm', role: 'assistant', parts: [decided] }] },
    status: 404,
  },
  {
    what: 'a chat that ends with no person’s message',
    path: '/api/chat',
    body: { id: 'new', messages: [{ id: 'm', role: 'system', parts }] },
    status: 400,
  },
  {
    what: 'a chat with a file elsewhere',
    path: '/api/chat',
    body: { id: 'new', messages: [{ id: 'm', role: 'user', parts: [far] }] },
    status: 400,
  },
  {
    what: 'the rest of an AG-UI run that is not there',
    path: '/ag-ui',
    body: { threadId: 'new', runId: 'r', resume: [{ interruptId: 'q', status: 'resolved', payload: true }] },
    status: 404,
  },
  {
    what: 'a response without words',
    path: '/v1/responses',
    body: { model: 'm', input: '', conversation: 'new' },
    status: 400,
  },
])('$what makes no conversation', async ({ path, body, status }) => {
  const store = memoryStore()
  const server = await serve({ model: scriptedModel(['Hello.']), store }, { store, token: undefined, tokens })
  const call = callOf(server.url, 'bob-token')
  expect((await call('POST', path, body)).status).toBe(status)
  expect(await store.entries('server.conversations')).toEqual([])
  expect((await call('GET', '/api/conversations/new')).status).toBe(404)
})
