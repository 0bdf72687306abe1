import { type Model, tool } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { idForKey } from '../src/conversations/stored/conversation-index.ts'
import { callOf, gate, type Served, serve } from './serve.ts'

const tokens = 'alice:a-token:owner,bob:b-token:member,carl:c-token:member'

/** A server whose tool waits for the test, and a caller for each of three people. */
async function team(replies: Parameters<typeof scriptedModel>[0] = []) {
  const begun = gate()
  const stopped = gate()
  const never = gate()
  const work = tool({
    name: 'work',
    run: async (_args, { signal }) => {
      signal.addEventListener('abort', () => stopped.open())
      begun.open()
      await never.opened
      return 'secret'
    },
  })
  const model: Model = scriptedModel(replies)
  const store = memoryStore()
  const server = await serve({ model, store, tools: [work] }, { token: undefined, tokens, store })
  const as = (token: string) => callOf(server.url, token)
  return { server, begun, stopped, alice: as('a-token'), bob: as('b-token'), carl: as('c-token') }
}

const works = [{ calls: [{ name: 'work' }] }, 'The secret is out.']
const post = ({ url }: Served, path: string, body: object) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer b-token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const hello = { role: 'user', content: 'hello' }

test.each([
  { path: '/v1/chat/completions', body: { messages: [hello] }, status: 401 },
  { path: '/v1/responses', body: { input: 'hello' }, status: 401 },
  { path: '/v1/chat/completions', body: { messages: [hello], stream: true }, status: 200 },
  { path: '/v1/responses', body: { input: 'hello', stream: true }, status: 200 },
  {
    path: '/ag-ui',
    body: { threadId: 't', runId: 'r', messages: [{ id: 'm', ...hello }], tools: [], context: [], state: {} },
    status: 200,
  },
  {
    path: '/api/chat',
    body: { id: 'chat', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] }] },
    status: 200,
  },
])('an answer at $path $body that waits ends when its person is revoked', async ({ path, body, status }) => {
  const { server, begun, alice } = await team(works)
  const answer = post(server, path, body)
  await begun.opened
  expect((await alice('DELETE', '/api/people/bob')).status).toBe(204)
  const response = await answer
  // It ends although the tool still runs.
  expect(await response.text()).not.toContain('secret')
  expect(response.status).toBe(status)
})

test('events of a conversation end for a person who is revoked', async () => {
  const { server, begun, alice, bob } = await team(works)
  const { id } = (await bob('POST', '/api/conversations', {})).body
  const headers = { authorization: 'Bearer b-token' }
  const events = await fetch(`${server.url}/api/conversations/${id}/events`, { headers })
  await bob('POST', `/api/conversations/${id}/turns`, { text: 'go' })
  await begun.opened
  await alice('DELETE', '/api/people/bob')
  expect(await events.text()).not.toContain('secret')
})

test.each([false, true])(
  'a turn of /v1/chat/completions whose person is revoked is stopped (stream: %s)',
  async stream => {
    const { server, begun, stopped, alice } = await team(works)
    const answer = post(server, '/v1/chat/completions', { messages: [hello], stream })
    await begun.opened
    await alice('DELETE', '/api/people/bob')
    await (await answer).text()
    await stopped.opened
  },
)

test('a conversation under the id of another person’s key is not what that key makes', async () => {
  const { server, bob, carl } = await team(['Hi.'])
  // Whoever guesses a key can make a conversation under its id, and share it with who will send the key.
  const guessed = idForKey('carl', 'first')
  await post(server, '/api/chat', {
    id: guessed,
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  }).then(response => response.text())
  await bob('PUT', `/api/conversations/${guessed}/people/carl`, { access: 'talk' })
  const make = () => carl('POST', '/api/conversations', {}, { 'idempotency-key': 'first' })
  const [made, again] = [await make(), await make()]
  expect(made.status).toBe(201)
  expect(made.body.id).not.toBe(guessed)
  expect(again.body.id).toBe(made.body.id)
  expect((await bob('GET', `/api/conversations/${made.body.id}`)).status).toBe(404)
})

test('an owner’s key that is written as another person’s starts no turn in their name', async () => {
  const { bob, carl } = await team(['One.', 'Two.'])
  const { id } = (await bob('POST', '/api/conversations', {})).body
  await bob('PUT', `/api/conversations/${id}/people/carl`, { access: 'talk' })
  const start = (call: typeof bob, key: string) =>
    call('POST', `/api/conversations/${id}/turns`, { text: 'x', parentId: null }, { 'idempotency-key': key })
  const [bobs, carls] = [await start(bob, '["carl","k"]'), await start(carl, 'k')]
  expect(carls.body.turnId).not.toBe(bobs.body.turnId)
})
