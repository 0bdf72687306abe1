import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { raw, token } from '../../test/raw.ts'
import { serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'

test.each([
  { name: 'an unknown place', method: 'GET', path: '/api/nowhere', is: '404 route.missing' },
  { name: 'another method', method: 'PUT', path: '/api/conversations', is: '404 route.missing' },
  { name: 'a broken escape', method: 'GET', path: '/api/conversations/%E0%A4%A', is: '404 conversation.missing' },
  {
    name: 'a path that climbs',
    method: 'GET',
    path: '/api/conversations/..%2f..%2fetc',
    is: '404 conversation.missing',
  },
  { name: 'a limit of zero', method: 'GET', path: '/api/conversations?limit=0', is: '400 query.invalid' },
  { name: 'a limit that is no number', method: 'GET', path: '/api/conversations?limit=x', is: '400 query.invalid' },
  {
    name: 'a page after nothing',
    method: 'GET',
    path: '/api/conversations?before=x',
    is: '404 conversation.missing',
  },
  { name: 'a search for nothing', method: 'GET', path: '/api/search?q=', is: '400 query.invalid' },
  { name: 'no search', method: 'GET', path: '/api/search', is: '400 query.invalid' },
  { name: 'an unknown turn', method: 'GET', path: '/api/turns/x/explain', is: '404 turn.missing' },
  { name: 'an unknown trace', method: 'GET', path: '/api/turns/x/trace', is: '404 turn.missing' },
  { name: 'an unknown permission', method: 'DELETE', path: '/api/permissions/x', is: '404 permission.missing' },
  {
    name: 'the server’s own middleware',
    method: 'PATCH',
    path: '/api/middleware/inspector',
    is: '404 middleware.unknown',
  },
  { name: 'a switch that is none', method: 'PATCH', path: '/api/middleware/x', body: {}, is: '400 body.invalid' },
  { name: 'an unknown request', method: 'POST', path: '/api/requests/x/answer', is: '404 request.unknown' },
  { name: 'events of nothing', method: 'GET', path: '/api/conversations/x/events', is: '404 conversation.missing' },
  {
    name: 'events from nowhere',
    method: 'GET',
    path: '/api/conversations/x/events?after=-1',
    is: '400 query.invalid',
  },
  { name: 'a run without a thread', method: 'POST', path: '/ag-ui', is: '400 body.invalid' },
])('$name: $is', async ({ method, path, body, is }) => {
  const server = await serve({ model: scriptedModel([]) })
  const sent = body ?? (method === 'PATCH' ? { enabled: true } : undefined)
  const { status, text, headers } = await raw(server, method, path, token, sent ? [JSON.stringify(sent)] : [])
  expect(headers['content-type']).toContain('application/json')
  const { error } = JSON.parse(text)
  expect(`${status} ${error.code}`).toBe(is)
  expect(error.message).toMatch(/\w/)
})

test.each([
  { name: 'no text', body: {} },
  { name: 'a text of spaces', body: { text: '  ' } },
  { name: 'a text that is none', body: { text: 7 } },
  { name: 'a parent that is none', body: { text: 'x', parentId: 7 } },
  { name: 'attachments that are none', body: { text: 'x', attachments: 'y' } },
  { name: 'data that is not base64', body: { text: 'x', attachments: [{ mediaType: 'image/png', data: '<>' }] } },
  { name: 'base64 that is cut', body: { text: 'x', attachments: [{ mediaType: 'text/plain', data: 'YSxiY' }] } },
  { name: 'an array', body: [] },
  { name: 'null', body: null },
])('a turn with $name is refused with 400', async ({ body }) => {
  const server = await serve({ model: scriptedModel([]) })
  const answer = await server.call('POST', `/api/conversations/${await server.newConversation()}/turns`, body)
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'body.invalid' } } })
})

test('a body of 1 MiB is read, one byte more is refused with 413, with and without its length', async () => {
  const server = await serve({ model: scriptedModel(['ok']) })
  const path = `/api/conversations/${await server.newConversation()}/turns`
  const bodyOf = (bytes: number) => {
    const shell = JSON.stringify({ text: '' }).length
    return JSON.stringify({ text: 'x'.repeat(bytes - shell) })
  }
  const mebibyte = 1024 * 1024
  expect(
    (await raw(server, 'POST', path, { ...token, 'content-length': String(mebibyte + 1) }, [bodyOf(mebibyte + 1)]))
      .status,
  ).toBe(413)
  const chunked = bodyOf(mebibyte + 1)
  expect((await raw(server, 'POST', path, token, [chunked.slice(0, 500_000), chunked.slice(500_000)])).status).toBe(413)
  expect((await server.call('POST', path, bodyOf(mebibyte))).status).toBe(202)
})

test('malformed and deep frames are answered, a huge one ends that socket alone', async () => {
  const server = await serve({ model: scriptedModel(['still here']) })
  const id = await server.newConversation()
  const [bad, good] = [await server.join(), await server.join()]
  for (const text of ['{', 'null', '"x"', '['.repeat(200_000), '{"type":{"toString":1}}']) {
    const before = bad.frames.length
    bad.socket.send(text)
    await bad.until(frame => bad.frames.indexOf(frame) >= before && frame.ok === false)
  }
  bad.socket.send(Buffer.from([1, 2, 3]))
  bad.socket.send('x'.repeat(1024 * 1024 + 1))
  expect(await bad.closed).toBe(1009)
  await good.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await good.ask({ type: 'send', conversationId: id, text: 'hi' })
  expect(await good.until(isOver)).toMatchObject({ text: 'still here' })
})

test('an Idempotency-Key of more than 300 characters is refused, an empty one is none', async () => {
  const server = await serve({ model: scriptedModel(['a', 'b']) })
  const path = `/api/conversations/${await server.newConversation()}/turns`
  const send = (key: string, text = 'x') =>
    server.call('POST', path, { text, parentId: null }, { 'idempotency-key': key })
  expect(await send('k'.repeat(301))).toMatchObject({ status: 400, body: { error: { code: 'idempotency.invalid' } } })
  const first = (await send('')).body.turnId
  expect((await send('')).body.turnId).not.toBe(first)
})

test('a key in a frame has the same limits', async () => {
  const server = await serve({ model: scriptedModel(['a', 'b']) })
  const conversationId = await server.newConversation()
  const client = await server.join()
  const send = (key: string) => client.ask({ type: 'send', conversationId, text: 'x', parentId: null, key })
  expect(await send('k'.repeat(301))).toMatchObject({ status: 400, error: { code: 'frame.invalid' } })
  const { turnId } = await send('')
  expect(await send('')).toMatchObject({ ok: true, turnId: expect.not.stringMatching(turnId) })
})

test('an id of any length is answered with a short error', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const client = await server.join()
  const long = 'x'.repeat(100_000)
  for (const frame of [
    { type: 'subscribe', conversationId: long },
    { type: 'interrupt', turnId: long },
    { type: 'answer', requestId: long },
  ]) {
    const { status, error } = await client.ask(frame)
    expect(status).toBe(404)
    expect(error.message.length).toBeLessThan(400)
  }
})

test('the same key is another key in another conversation, and another person’s', async () => {
  const server = await serve(
    { model: scriptedModel(['ok'], { repeat: true }) },
    { token: undefined, tokens: 'alice:a,bob:b' },
  )
  const [alice, bob] = ['a', 'b'].map(own => ({ authorization: `Bearer ${own}`, 'idempotency-key': 'k' }))
  const made = await Promise.all([alice, alice, bob].map(who => server.call('POST', '/api/conversations', {}, who)))
  const [one, same, his] = made.map(({ body }) => body.id)
  expect(same).toBe(one)
  expect(his).not.toBe(one)
  const send = (id: string, who = alice) => server.call('POST', `/api/conversations/${id}/turns`, { text: 'x' }, who)
  expect((await send(one)).body.turnId).not.toBe((await send(his, bob)).body.turnId)
})

test('the same key over the socket and over HTTP makes one turn', async () => {
  const server = await serve({ model: scriptedModel(['ok']) })
  const conversationId = await server.newConversation()
  const client = await server.join()
  const { turnId } = await client.ask({ type: 'send', conversationId, text: 'x', key: 'k' })
  const path = `/api/conversations/${conversationId}/turns`
  expect((await server.call('POST', path, { text: 'x' }, { 'idempotency-key': 'k' })).body.turnId).toBe(turnId)
  expect((await client.ask({ type: 'send', conversationId, text: 'y', key: 'k' })).error.code).toBe(
    'idempotency.mismatch',
  )
})

test('a store that is full is said to who asks and to who runs the server; nothing half is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const store = sqliteStore(join(folder, 'small.db'), { maxBytes: 400_000 })
  const told: unknown[] = []
  const onError = (error: unknown) => void told.push(error)
  const server = await serve({ model: scriptedModel(['Hello.']), store }, { store, onError })
  const id = await server.newConversation()
  const client = await server.follow(id)
  const text = 'x'.repeat(500_000)
  const { status, body } = await server.call('POST', `/api/conversations/${id}/turns`, { text })
  expect([status, body.error.code]).toEqual([507, 'store.full'])
  expect(body.error.message).toContain('no space left')
  expect(JSON.stringify(body)).not.toContain(folder)
  expect(await client.ask({ type: 'send', conversationId: id, text })).toMatchObject({ ok: false, status: 507 })
  const full = { code: 'store.full', message: expect.stringContaining(folder) }
  expect(told).toMatchObject([full, full])
  await client.ask({ type: 'send', conversationId: id, text: 'short' })
  const { text: said } = await client.until(({ type }) => type === 'turn.completed')
  expect(said).toBe('Hello.')
  expect((await server.call('GET', `/api/conversations/${id}`)).body.turns).toHaveLength(1)
})

test.each([
  { name: 'no token', headers: { authorization: '' }, status: 401 },
  { name: 'a wrong token', headers: { authorization: 'Bearer wrong' }, status: 401 },
  { name: 'another site’s origin', headers: { origin: 'http://evil.example' }, status: 403 },
  { name: 'the null origin', headers: { origin: 'null' }, status: 403 },
  { name: 'another port’s origin', headers: { origin: 'http://127.0.0.1:1' }, status: 403 },
  { name: 'a rebound host', headers: { host: 'evil.example' }, status: 403 },
  { name: 'a host that only begins alike', headers: { host: '127.0.0.1.evil.example' }, status: 403 },
])('$name is turned away with $status', async ({ headers, status }) => {
  const server = await serve({ model: scriptedModel([]) })
  const got = await new Promise<number | undefined>((resolve, reject) => {
    const all = { authorization: 'Bearer secret', host: `127.0.0.1:${server.port}`, ...headers }
    httpRequest(`${server.url}/api/conversations`, { headers: all }, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
  expect(got).toBe(status)
})

test('health needs no token; every answer carries the content policy', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const { status, headers } = await server.call('GET', '/healthz', undefined, { authorization: '' })
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toContain("script-src 'self'")
})

test.each([
  {
    name: 'a body over 1 MiB',
    body: JSON.stringify({ title: 'x'.repeat(1024 * 1024) }),
    status: 413,
    code: 'body.tooLarge',
  },
  { name: 'no JSON', body: '{', status: 400, code: 'body.invalid' },
  { name: 'JSON too deep', body: '['.repeat(100_000), status: 400, code: 'body.invalid' },
  { name: 'a wrong type', body: '{"title":7}', status: 400, code: 'body.invalid' },
])('$name is answered with $status $code', async ({ body, status, code }) => {
  const server = await serve({ model: scriptedModel([]) })
  expect(await server.call('POST', '/api/conversations', body)).toMatchObject({ status, body: { error: { code } } })
})
