import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { Validator } from '@seriousme/openapi-schema-validator'
import { middleware, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel, virtualClock } from 'turnbuckle/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { gate, type Served, serve } from './serve.ts'
import { SocketClient } from './socket-client.ts'

let server: Served
const clients: SocketClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate()
  await server?.close()
})

async function join(token = 'secret'): Promise<SocketClient> {
  const client = await SocketClient.open(server.url, token)
  clients.push(client)
  return client
}
const over = (frame: { type: string }) => /^turn\.(completed|stopped|failed|interrupted)$/.test(frame.type)
const newConversation = async (): Promise<string> => (await server.call('POST', '/api/conversations', {})).body.id
const add = tool({ name: 'add', run: ({ a, b }) => Number(a) + Number(b) })
const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }

interface Raw {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}
/** Without what fetch adds or forbids. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string>,
  chunks: readonly string[] = [],
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { method, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    for (const chunk of chunks) request.write(chunk)
    request.end()
  })
}
const token = { authorization: 'Bearer secret' }

describe('HTTP', () => {
  test('every call of the contract is refused without a token, from another site and under another name', async () => {
    server = await serve({ model: scriptedModel([]) })
    const { paths } = (await server.call('GET', '/api/openapi.json')).body
    for (const [path, methods] of Object.entries(paths as Record<string, object>))
      for (const method of Object.keys(methods)) {
        if (path === '/healthz' || path === '/api/socket') continue
        const place = path.replace(/\{\w+\}/g, 'x')
        const ask = async (headers: Record<string, string>) => {
          const { status, text } = await raw(method.toUpperCase(), place, headers)
          return `${status} ${JSON.parse(text).error.code}`
        }
        expect(await ask({})).toBe('401 token.invalid')
        expect(await ask({ authorization: 'Basic secret' })).toBe('401 token.invalid')
        expect(await ask({ ...token, origin: 'http://evil.example' })).toBe('403 origin.foreign')
        expect(await ask({ ...token, host: 'evil.example' })).toBe('403 host.foreign')
      }
  })

  test('its own origin and names are welcome, and no other site may read an answer', async () => {
    server = await serve({ model: scriptedModel([]) })
    for (const host of [`127.0.0.1:${server.port}`, `localhost:${server.port}`, `LOCALHOST:${server.port}`])
      expect((await raw('GET', '/api/conversations', { ...token, host })).status).toBe(200)
    const own = { ...token, origin: server.url }
    const { status, headers } = await raw('GET', '/api/conversations', own)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    const preflight = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
    expect((await raw('OPTIONS', '/api/conversations', preflight)).status).toBe(403)
  })

  test('the address of a server that listens everywhere is one that it answers to', async () => {
    server = await serve({ model: scriptedModel([]) }, { host: '0.0.0.0' })
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect((await server.call('GET', '/api/conversations')).status).toBe(200)
  })

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
    server = await serve({ model: scriptedModel([]) })
    const sent = body ?? (method === 'PATCH' ? { enabled: true } : undefined)
    const { status, text, headers } = await raw(method, path, token, sent ? [JSON.stringify(sent)] : [])
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
    { name: 'an array', body: [] },
    { name: 'null', body: null },
  ])('a turn with $name is refused with 400', async ({ body }) => {
    server = await serve({ model: scriptedModel([]) })
    const answer = await server.call('POST', `/api/conversations/${await newConversation()}/turns`, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'body.invalid' } } })
  })

  test('a body of 1 MiB is read, one byte more is refused with 413, with and without its length', async () => {
    server = await serve({ model: scriptedModel(['ok']) })
    const path = `/api/conversations/${await newConversation()}/turns`
    const bodyOf = (bytes: number) => {
      const shell = JSON.stringify({ text: '' }).length
      return JSON.stringify({ text: 'x'.repeat(bytes - shell) })
    }
    const mebibyte = 1024 * 1024
    expect(
      (await raw('POST', path, { ...token, 'content-length': String(mebibyte + 1) }, [bodyOf(mebibyte + 1)])).status,
    ).toBe(413)
    const chunked = bodyOf(mebibyte + 1)
    expect((await raw('POST', path, token, [chunked.slice(0, 500_000), chunked.slice(500_000)])).status).toBe(413)
    expect((await server.call('POST', path, bodyOf(mebibyte))).status).toBe(202)
  })

  test('an attachment is part of the message; text is not needed beside it', async () => {
    server = await serve({ model: scriptedModel(['A picture.']) })
    const id = await newConversation()
    const attachments = [{ mediaType: 'image/png', data: 'aGk=', name: 'a.png' }]
    expect((await server.call('POST', `/api/conversations/${id}/turns`, { text: '', attachments })).status).toBe(202)
    const client = await join()
    await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
    await client.until(over)
    const { nodes } = (await server.call('GET', `/api/conversations/${id}`)).body
    expect(nodes[0].message.content).toEqual([{ type: 'file', ...attachments[0] }])
  })

  test('pages follow each other by the last id, newest first', async () => {
    server = await serve({ model: scriptedModel([]) })
    for (let i = 0; i < 7; i++) await newConversation()
    const all = (await server.call('GET', '/api/conversations')).body.conversations
    const paged = []
    for (let before: string | undefined, page = [undefined] as { id: string }[] | undefined[]; page.length; ) {
      page = (await server.call('GET', `/api/conversations?limit=3${before ? `&before=${before}` : ''}`)).body
        .conversations
      paged.push(...page)
      before = page.at(-1)?.id
    }
    expect(paged).toEqual(all)
    const times = all.map(({ updatedAt }: { updatedAt: number }) => updatedAt)
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
  })

  test('an Idempotency-Key of more than 300 characters is refused, an empty one is none', async () => {
    server = await serve({ model: scriptedModel(['a', 'b']) })
    const path = `/api/conversations/${await newConversation()}/turns`
    const send = (key: string, text = 'x') =>
      server.call('POST', path, { text, parentId: null }, { 'idempotency-key': key })
    expect(await send('k'.repeat(301))).toMatchObject({ status: 400, body: { error: { code: 'idempotency.invalid' } } })
    const first = (await send('')).body.turnId
    expect((await send('')).body.turnId).not.toBe(first)
  })

  test('the same key is another key in another conversation, and another person’s', async () => {
    server = await serve(
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
})

describe('requests', () => {
  test('one whose time has run out is answered with 410', async () => {
    const clock = virtualClock()
    const asks = middleware({
      name: 'asks',
      beforeTurn: async ctx => void (await ctx.ask('clarification', {}, { timeout: 1000, fallback: 'none' })),
    })
    server = await serve({ model: scriptedModel(['ok']), use: [asks], clock })
    const id = await newConversation()
    const client = await join()
    await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
    await client.ask({ type: 'send', conversationId: id, text: 'x' })
    const { requestId, deadline } = await client.until(({ type }) => type === 'request.opened')
    expect(deadline).toBe(clock.now() + 1000)
    await clock.advance(1000)
    await client.until(({ type }) => type === 'request.expired')
    expect(await server.call('POST', `/api/requests/${requestId}/answer`, {})).toMatchObject({
      status: 410,
      body: { error: { code: 'request.expired' } },
    })
  })

  test('an answer may be any JSON; a permission must be one', async () => {
    const given: unknown[] = []
    const asks = middleware({
      name: 'asks',
      beforeTurn: async ctx => void given.push(await ctx.ask('clarification', {})),
    })
    server = await serve({ model: scriptedModel([callsAdd, 'ok']), tools: [add], use: [asks, approval()] })
    const id = await newConversation()
    const client = await join()
    await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
    await client.ask({ type: 'send', conversationId: id, text: 'x' })
    const open = async (kind: string) =>
      (await client.until(frame => frame.type === 'request.opened' && frame.kind === kind)).requestId
    expect((await server.call('POST', `/api/requests/${await open('clarification')}/answer`, '"Oslo"')).status).toBe(
      200,
    )
    const permission = `/api/requests/${await open('permission')}/answer`
    for (const wrong of ['"allow"', '[]', 'null', '{}', '{"decision":"yes"}', '{"decision":"allow","scope":"ever"}'])
      expect(await server.call('POST', permission, wrong)).toMatchObject({
        status: 422,
        body: { error: { code: 'request.invalid' } },
      })
    expect((await server.call('POST', permission, { decision: 'allow', scope: 'once' })).status).toBe(200)
    await client.until(over)
    expect(given).toEqual(['Oslo'])
  })

  test('of two who answer at the same time one is told that the other was first, and what was decided', async () => {
    server = await serve({ model: scriptedModel([callsAdd, 'ok']), tools: [add], use: [approval()] })
    const id = await newConversation()
    const [one, two] = [await join(), await join()]
    for (const client of [one, two]) await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
    await one.ask({ type: 'send', conversationId: id, text: 'x' })
    const { requestId } = await two.until(({ type }) => type === 'request.opened')
    const answers = await Promise.all([
      one.ask({ type: 'answer', requestId, decision: 'allow' }),
      two.ask({ type: 'answer', requestId, decision: 'deny' }),
    ])
    const [first] = answers.filter(({ ok }) => ok)
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      status: 409,
      error: { code: 'request.answered' },
      decision: first.decision,
    })
    await one.until(over)
    await two.until(over)
    expect(one.events).toEqual(two.events)
  })
})

describe('WebSocket', () => {
  test('a place that is no socket, a wrong protocol and a plain GET are refused in JSON', async () => {
    server = await serve({ model: scriptedModel([]) })
    const refused = (path: string, protocols: string[]) =>
      new Promise<string>(resolve => {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, protocols)
        socket.on('unexpected-response', (_, response) => {
          let text = ''
          response.on('data', chunk => {
            text += chunk
          })
          response.on('end', () => resolve(`${response.statusCode} ${JSON.parse(text).error.code}`))
        })
        socket.on('error', () => {})
      })
    expect(await refused('/api/other', ['turnbuckle.secret'])).toBe('404 route.missing')
    expect(await refused('/api/socket', ['other.secret'])).toBe('401 token.invalid')
    expect(await refused('/api/socket', ['turnbuckle.'])).toBe('401 token.invalid')
    expect((await raw('GET', '/api/socket', token)).status).toBe(404)
  })

  test('every frame is answered under its id, whatever the id is', async () => {
    server = await serve({ model: scriptedModel(['ok']) })
    const conversationId = await newConversation()
    const client = await join()
    for (const id of ['a', 7, 'ü'.repeat(100)]) {
      client.socket.send(JSON.stringify({ type: 'subscribe', id, conversationId }))
      expect(await client.until(frame => frame.type === 'reply' && frame.id === id)).toMatchObject({ ok: true })
    }
    client.socket.send(JSON.stringify({ type: 'send', id: 'none', conversationId: 'none', text: 'x' }))
    expect(await client.until(({ id }) => id === 'none')).toMatchObject({
      ok: false,
      status: 404,
      error: { code: 'conversation.missing', message: expect.any(String) },
    })
  })

  test('the same key over the socket and over HTTP makes one turn', async () => {
    server = await serve({ model: scriptedModel(['ok']) })
    const conversationId = await newConversation()
    const client = await join()
    const { turnId } = await client.ask({ type: 'send', conversationId, text: 'x', key: 'k' })
    const path = `/api/conversations/${conversationId}/turns`
    expect((await server.call('POST', path, { text: 'x' }, { 'idempotency-key': 'k' })).body.turnId).toBe(turnId)
    expect((await client.ask({ type: 'send', conversationId, text: 'y', key: 'k' })).error.code).toBe(
      'idempotency.mismatch',
    )
  })

  test('others’ conversations, turns and requests are not there for a socket either', async () => {
    const held = gate()
    server = await serve(
      { model: scriptedModel([callsAdd, () => held.opened.then(() => 'ok')]), tools: [add], use: [approval()] },
      { token: undefined, tokens: 'alice:a-token,bob:b-token' },
    )
    const conversationId = await newConversation()
    const [alice, bob] = [await join('a-token'), await join('b-token')]
    await alice.ask({ type: 'subscribe', conversationId, after: 0 })
    await bob.ask({ type: 'watch' })
    const { turnId } = await alice.ask({ type: 'send', conversationId, text: 'x' })
    const { requestId } = await alice.until(({ type }) => type === 'request.opened')
    for (const [frame, is] of [
      [{ type: 'subscribe', conversationId, after: 0 }, '404 conversation.missing'],
      [{ type: 'send', conversationId, text: 'x' }, '404 conversation.missing'],
      [{ type: 'interrupt', turnId }, '404 turn.missing'],
      [{ type: 'interject', turnId, text: 'x' }, '404 turn.missing'],
      [{ type: 'answer', requestId, decision: 'allow' }, '403 request.foreign'],
    ] as const) {
      const { status, error } = await bob.ask(frame)
      expect(`${status} ${error.code}`).toBe(is)
    }
    await alice.ask({ type: 'interrupt', turnId })
    await alice.until(over)
    held.open()
    expect(bob.frames.filter(({ type }) => type !== 'reply')).toEqual([])
  })

  test('what is no WebSocket at all does not harm the server', async () => {
    server = await serve({ model: scriptedModel([]) })
    for (const text of [
      'GET /api/socket HTTP/1.1\r\nupgrade: websocket\r\n\r\n',
      '\x16\x03\x01\x02',
      'x'.repeat(100_000),
    ]) {
      const socket = connect(server.port, '127.0.0.1')
      const closed = new Promise(resolve => socket.on('close', resolve))
      socket.on('error', () => {})
      socket.resume()
      socket.end(text)
      await closed
    }
    expect((await server.call('GET', '/healthz')).status).toBe(200)
  })
})

describe('events', () => {
  test('each kind of event has the fields of the contract', async () => {
    const usage = { inputTokens: 3, outputTokens: 2, cost: 0.5 }
    const slow = tool({
      name: 'add',
      run: ({ a, b }, ctx) => {
        ctx.emit({ type: 'tool.progress', callId: ctx.call.id, done: 1 })
        return Number(a) + Number(b)
      },
    })
    const fails = tool({
      name: 'fails',
      run: () => {
        throw new Error('no')
      },
    })
    const calls = [...callsAdd.calls, { name: 'fails', args: {} }]
    const store = memoryStore()
    server = await serve(
      {
        model: scriptedModel([
          { ...callsAdd, calls, usage },
          { text: 'Five.', usage },
        ]),
        tools: [slow, fails],
        use: [approval()],
        store,
      },
      { store },
    )
    const conversationId = await newConversation()
    const client = await join()
    await client.ask({ type: 'subscribe', conversationId, after: 0 })
    const { turnId } = await client.ask({ type: 'send', conversationId, text: 'add' })
    const first = await client.until(({ type }) => type === 'request.opened')
    await client.ask({ type: 'interject', turnId, text: 'and' })
    await client.ask({ type: 'answer', requestId: first.requestId, decision: 'allow' })
    const second = await client.until(frame => frame.type === 'request.opened' && frame.requestId !== first.requestId)
    await client.ask({ type: 'answer', requestId: second.requestId, decision: 'allow' })
    await client.until(over)
    await server.call('PATCH', `/api/conversations/${conversationId}`, { title: 'Sums' })
    await server.call('PATCH', `/api/conversations/${conversationId}`, {
      head: client.frames.find(({ type }) => type === 'message.added').messageId,
    })
    await server.call('PATCH', '/api/middleware/approval', { enabled: false })
    await client.until(({ type }) => type === 'middleware.changed')
    const fields: Record<string, readonly string[]> = {
      'turn.started': ['turnId', 'parentId'],
      'message.started': ['messageId', 'parentId', 'role', 'turnId'],
      'message.delta': ['messageId', 'text', 'offset', 'turnId'],
      'message.added': ['messageId', 'parentId', 'role', 'message', 'turnId'],
      'tool.pending': ['callId', 'name', 'args', 'turnId'],
      'tool.executing': ['callId', 'name', 'args', 'turnId'],
      'tool.progress': ['callId', 'turnId'],
      'tool.completed': ['callId', 'name', 'status', 'result', 'durationMs', 'turnId'],
      'tool.failed': ['callId', 'name', 'status', 'result', 'durationMs', 'turnId'],
      'request.opened': ['requestId', 'kind', 'payload', 'deadline', 'turnId'],
      'request.answered': ['requestId', 'kind', 'decision', 'turnId'],
      'interjection.queued': ['text', 'turnId'],
      'interjection.applied': ['text', 'messageId', 'turnId'],
      'head.moved': ['from', 'to'],
      'title.changed': ['to'],
      'middleware.changed': ['name', 'enabled'],
      usage: ['messageId', 'inputTokens', 'outputTokens', 'cost', 'total', 'turnId'],
      'turn.completed': ['outcome', 'reason', 'by', 'text', 'usage', 'turnId'],
    }
    const events = client.frames.filter(({ type }) => type !== 'reply')
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(Object.keys(fields).sort())
    for (const event of events) {
      expect(event).toMatchObject({ conversationId, at: expect.any(Number) })
      for (const field of fields[event.type] ?? []) expect(event, event.type).toHaveProperty(field)
      expect('seq' in event).toBe(event.type !== 'message.delta')
    }
    const numbered = client.events.map(({ seq }) => seq)
    expect(numbered).toEqual(numbered.map((_, i) => i + 1))
  })
})

test('the OpenAPI document is valid and has every call of the contract with its bodies and errors', async () => {
  server = await serve({ model: scriptedModel([]) })
  const { body } = await server.call('GET', '/api/openapi.json')
  const { valid, errors } = await new Validator().validate(body)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const has = (method: string, path: string, ...statuses: number[]) =>
    expect(Object.keys(body.paths[path][method].responses).map(Number), path).toEqual(expect.arrayContaining(statuses))
  has('post', '/api/conversations', 201, 400, 401, 403, 413)
  has('get', '/api/conversations', 200, 400, 401, 403)
  has('get', '/api/conversations/{id}', 200, 401, 403, 404)
  has('patch', '/api/conversations/{id}', 200, 400, 404)
  has('delete', '/api/conversations/{id}', 204, 404)
  has('post', '/api/conversations/{id}/turns', 202, 400, 404, 409, 413, 422)
  has('delete', '/api/conversations/{id}/messages/{messageId}', 204, 404, 409)
  has('get', '/api/search', 200, 400)
  has('post', '/api/turns/{id}/interrupt', 202, 404, 409)
  has('post', '/api/turns/{id}/interject', 202, 400, 404, 409)
  has('get', '/api/turns/{id}/explain', 200, 404)
  has('get', '/api/turns/{id}/trace', 200, 404)
  has('post', '/api/requests/{id}/answer', 200, 403, 404, 409, 410, 422)
  has('get', '/api/middleware', 200)
  has('patch', '/api/middleware/{name}', 200, 400, 404)
  has('get', '/api/permissions', 200)
  has('delete', '/api/permissions/{id}', 204, 404)
  has('get', '/api/conversations/{id}/events', 200, 400, 404)
  has('post', '/ag-ui', 200, 400, 404, 409, 410)
  has('get', '/healthz', 200)
  for (const path of ['/api/conversations', '/api/conversations/{id}/turns'])
    expect(body.paths[path].post.parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'Idempotency-Key' }),
    )
})
