import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { storedPermissions } from '../src/index.ts'
import { add, callsAdd } from './adding.ts'
import { callOf, type Served, serve } from './serve.ts'
import { isOver } from './socket-client.ts'

const tokens = 'alice:a-token:owner,bob:b-token:member,eve:e-token:viewer'

/** A server with a store, and a caller for each of three people. */
async function team(replies: Parameters<typeof scriptedModel>[0], quorum?: number) {
  const store = memoryStore()
  const permissions = storedPermissions(store)
  const guard = approval({ store: permissions.storeFor, ...(quorum ? { quorum } : {}) })
  const server = await serve(
    { model: scriptedModel(replies), store, tools: [add], use: [guard] },
    { token: undefined, tokens, store, permissions },
  )
  const as = (token: string) => codes(callOf(server.url, token))
  return { server, store, alice: as('a-token'), bob: as('b-token'), eve: as('e-token'), as }
}
type Call = Served['call']
/** Status and, where it was refused, the code: `403 role.missing`. */
const codes = (call: Call) =>
  Object.assign(
    async (...args: Parameters<Call>) => {
      const { status, body } = await call(...args)
      return status < 400 ? `${status}` : `${status} ${body.error.code}`
    },
    {
      get: async (path: string) => (await call('GET', path)).body,
      make: async (path: string, body: unknown) => (await call('POST', path, body)).body,
    },
  )
type Person = ReturnType<typeof codes>

const created = async (person: Person) => (await person.make('/api/conversations', {})).id as string
async function asked(person: Person, id: string): Promise<string> {
  for (;;) {
    const { requests } = await person.get(`/api/conversations/${id}`)
    if (requests.length) return requests[0].id
    await new Promise(setImmediate)
  }
}

test('what a role lacks is 403 role.missing, before anything is looked up', async () => {
  const { bob, eve } = await team([])
  for (const [method, path, body] of [
    ['GET', '/api/people', undefined],
    ['POST', '/api/people', { name: 'x', role: 'owner' }],
    ['DELETE', '/api/people/alice', undefined],
    ['GET', '/api/audit', undefined],
    ['PATCH', '/api/middleware/approval', { enabled: false }],
  ] as const) {
    expect(await bob(method, path, body), path).toBe('403 role.missing')
    expect(await eve(method, path, body), path).toBe('403 role.missing')
  }
  for (const [method, path, body] of [
    ['POST', '/api/conversations', {}],
    ['POST', '/api/conversations/none/turns', { text: 'x' }],
    ['POST', '/api/requests/none/answer', { decision: 'allow' }],
    ['GET', '/api/permissions', undefined],
  ] as const)
    expect(await eve(method, path, body), path).toBe('403 role.missing')
  expect(await eve('GET', '/api/conversations')).toBe('200')
  expect(await eve.get('/api/me')).toEqual({ name: 'eve', role: 'viewer' })
})

test('an owner does not read others’ conversations; a shared one is there, to read or to talk in, until that is taken back', async () => {
  const { server, alice, bob, eve } = await team(['Hi.', 'Hi again.'])
  const id = await created(bob)
  const at = `/api/conversations/${id}`
  const people = `${at}/people`
  expect([
    await alice('GET', at),
    await alice('DELETE', at),
    await alice('PUT', `${people}/alice`, { access: 'read' }),
  ]).toEqual(Array(3).fill('404 conversation.missing'))
  expect(await bob('PUT', `${people}/nobody`, { access: 'read' })).toBe('404 person.missing')
  expect(await bob('PUT', `${people}/alice`, { access: 'all' })).toBe('400 body.invalid')
  expect(await bob('PUT', `${people}/alice`, { access: 'talk' })).toBe('200')
  expect(await bob('PUT', `${people}/eve`, { access: 'talk' })).toBe('409 person.viewer')
  expect(await bob('PUT', `${people}/eve`, { access: 'read' })).toBe('200')
  expect((await alice.get('/api/conversations')).conversations).toMatchObject([{ id, owner: 'bob', access: 'talk' }])
  expect((await bob.get('/api/conversations')).conversations[0].people).toEqual({ alice: 'talk', eve: 'read' })
  const socket = await server.join('e-token')
  await socket.ask({ type: 'subscribe', conversationId: id, after: 0 })
  expect(await alice('POST', `${at}/turns`, { text: 'hello from alice' })).toBe('202')
  await socket.until(isOver)
  expect((await eve.get(at)).nodes).toHaveLength(2)
  expect((await eve.get('/api/search?q=alice')).results).toHaveLength(1)
  expect([await eve('POST', `${at}/turns`, { text: 'x' }), await alice('DELETE', at)]).toEqual([
    '403 role.missing',
    '403 role.missing',
  ])
  await bob('PUT', `${people}/alice`, { access: 'read' })
  expect([await alice('POST', `${at}/turns`, { text: 'x' }), await alice('GET', at)]).toEqual([
    '403 role.missing',
    '200',
  ])
  expect(await bob('DELETE', `${people}/eve`)).toBe('204')
  expect(await socket.until(({ type }) => type === 'conversation.deleted')).toMatchObject({ conversationId: id })
  expect([await eve('GET', at), await bob('DELETE', `${people}/eve`)]).toEqual([
    '404 conversation.missing',
    '404 person.missing',
  ])
})

test('project and always are lasting: owners give them, members do not, whoever’s conversation it is', async () => {
  const { alice, bob } = await team([callsAdd, 'Three.', callsAdd, 'Three.'])
  const id = await created(bob)
  await bob('POST', `/api/conversations/${id}/turns`, { text: 'add' })
  const request = `/api/requests/${await asked(bob, id)}/answer`
  for (const scope of ['project', 'always'])
    for (const decision of ['allow', 'deny'])
      expect(await bob('POST', request, { decision, scope })).toBe('403 role.missing')
  expect(await alice('POST', request, { decision: 'allow', scope: 'always' })).toBe('403 request.foreign')
  await bob('PUT', `/api/conversations/${id}/people/alice`, { access: 'talk' })
  expect(await alice('POST', request, { decision: 'allow', scope: 'always', by: 'bob' })).toBe('422 request.invalid')
  expect(await alice('POST', request, { decision: 'allow', scope: 'always' })).toBe('200')
  const [{ id: grant, by }] = (await bob.get('/api/permissions')).permissions
  expect(by).toBe('alice')
  expect(await bob('DELETE', `/api/permissions/${grant}`)).toBe('403 role.missing')
  expect((await alice.get('/api/permissions')).permissions).toMatchObject([{ id: grant, owner: 'bob' }])
  expect(await alice('DELETE', `/api/permissions/${grant}`)).toBe('204')
  const { entries } = await alice.get('/api/audit')
  expect(entries).toMatchObject([
    { by: 'alice', act: 'revoked', what: 'add', scope: 'always' },
    { by: 'alice', act: 'granted', what: 'add', decision: 'allow', scope: 'always', conversationId: id },
    { by: 'bob', act: 'shared', what: 'alice', decision: 'talk' },
  ])
  const rest = await alice.get(`/api/audit?limit=1&before=${encodeURIComponent(entries[0].id)}`)
  expect(rest.entries).toEqual([entries[1]])
})

test('one token does not fill a quorum; a viewer has no vote; every vote is in the audit list', async () => {
  const { alice, bob, eve } = await team([callsAdd, 'Three.'], 2)
  const id = await created(alice)
  await alice('POST', `/api/conversations/${id}/turns`, { text: 'add' })
  const first = await asked(alice, id)
  const yes = { decision: 'allow' }
  expect(await alice('POST', `/api/requests/${first}/answer`, { ...yes, by: 'bob' })).toBe('422 request.invalid')
  expect(await eve('POST', `/api/requests/${first}/answer`, yes)).toBe('403 role.missing')
  expect(await alice('POST', `/api/requests/${first}/answer`, yes)).toBe('200')
  const second = await asked(alice, id)
  expect(await alice('POST', `/api/requests/${second}/answer`, yes)).toBe('422 request.invalid')
  expect(await bob('POST', `/api/requests/${second}/answer`, yes)).toBe('200')
  expect((await alice.get('/api/audit')).entries).toMatchObject([
    { by: 'bob', act: 'voted', what: 'add', decision: 'allow' },
    { by: 'alice', act: 'voted', what: 'add', decision: 'allow' },
  ])
})

test('a token is made, listed by its hash, revoked and expires while the server runs; its socket is closed with 4001', async () => {
  const { server, alice, as } = await team([])
  const { token, ...carl } = await alice.make('/api/people', { name: 'carl', role: 'member' })
  expect(carl).toMatchObject({ name: 'carl', role: 'member', by: 'alice' })
  expect(await alice('POST', '/api/people', { name: 'carl', role: 'owner' })).toBe('409 person.exists')
  expect((await alice.get('/api/people')).people).toContainEqual(carl)
  expect(JSON.stringify(await alice.get('/api/people'))).not.toContain(token)
  const { token: short } = await alice.make('/api/people', { name: 'dan', role: 'viewer', expires: 1500 })
  const closed = async (of: string) => {
    const { socket } = await server.join(of)
    return new Promise<number>(resolve => socket.on('close', resolve))
  }
  const [ofCarl, ofDan] = [closed(token), closed(short)]
  expect([await as(token)('GET', '/api/conversations'), await as(short)('GET', '/api/me')]).toEqual(['200', '200'])
  expect(await alice('DELETE', '/api/people/carl')).toBe('204')
  expect(await ofCarl).toBe(4001)
  expect(await as(token)('GET', '/api/conversations')).toBe('401 token.invalid')
  expect(await ofDan).toBe(4001)
  expect(await as(short)('GET', '/api/me')).toBe('401 token.invalid')
  expect(await alice('DELETE', '/api/people/carl')).toBe('404 person.missing')
  expect(await alice('DELETE', '/api/people/alice')).toBe('409 person.last')
  expect(
    (await alice.get('/api/audit')).entries.map(({ act, what }: { act: string; what: string }) => `${act} ${what}`),
  ).toEqual(['person.revoked carl', 'person.made dan', 'person.made carl'])
})
