import { connect } from 'node:net'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { add, callsAdd } from '../../test/adding.ts'
import { raw, token } from '../../test/raw.ts'
import { gate, serve } from '../../test/serve.ts'
import { isOver, SocketClient } from '../../test/socket-client.ts'

test('every call of the contract is refused without a token, from another site and under another name', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const { paths } = (await server.call('GET', '/api/openapi.json')).body
  for (const [path, methods] of Object.entries(paths as Record<string, object>))
    for (const method of Object.keys(methods)) {
      if (path === '/healthz' || path === '/api/socket') continue
      const place = path.replace(/\{\w+\}/g, 'x')
      const ask = async (headers: Record<string, string>) => {
        const { status, text } = await raw(server, method.toUpperCase(), place, headers)
        return `${status} ${JSON.parse(text).error.code}`
      }
      expect(await ask({})).toBe('401 token.invalid')
      expect(await ask({ authorization: 'Basic secret' })).toBe('401 token.invalid')
      expect(await ask({ ...token, origin: 'http://evil.example' })).toBe('403 origin.foreign')
      expect(await ask({ ...token, host: 'evil.example' })).toBe('403 host.foreign')
    }
})

test('its own origin and names are welcome, and no other site may read an answer', async () => {
  const server = await serve({ model: scriptedModel([]) })
  for (const host of [`127.0.0.1:${server.port}`, `localhost:${server.port}`, `LOCALHOST:${server.port}`])
    expect((await raw(server, 'GET', '/api/conversations', { ...token, host })).status).toBe(200)
  const own = { ...token, origin: server.url }
  const { status, headers } = await raw(server, 'GET', '/api/conversations', own)
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
  expect((await raw(server, 'OPTIONS', '/api/conversations', preflight)).status).toBe(403)
})

test('the address of a server that listens everywhere is one that it answers to', async () => {
  const server = await serve({ model: scriptedModel([]) }, { host: '0.0.0.0' })
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
  expect((await server.call('GET', '/api/conversations')).status).toBe(200)
})

test('a server that listens everywhere answers to the names it was given, exactly, and says how to give others', async () => {
  const hosts = ['Box.local', '192.0.2.7', 'chat.example.org:8443', '[2001:db8::1]']
  const server = await serve({ model: scriptedModel([]) }, { host: '0.0.0.0', hosts })
  const { port } = server
  const ask = (host: string, origin?: string) =>
    raw(server, 'GET', '/api/conversations', { ...token, host, ...(origin ? { origin } : {}) })
  for (const host of [
    `box.local:${port}`,
    `BOX.local:${port}`,
    'box.local',
    `192.0.2.7:${port}`,
    'chat.example.org:8443',
    `[2001:db8::1]:${port}`,
    `localhost:${port}`,
  ])
    expect((await ask(host)).status, host).toBe(200)
  for (const host of [
    'box.local:1',
    `notbox.local:${port}`,
    `box.local.evil.example:${port}`,
    'chat.example.org',
    `chat.example.org:${port}`,
    `0.0.0.0:${port}`,
    `192.0.2.8:${port}`,
  ])
    expect((await ask(host)).status, host).toBe(403)
  expect(JSON.parse((await ask('evil.example')).text).error).toEqual({
    code: 'host.foreign',
    message: expect.stringContaining('TURNBUCKLE_HOSTS'),
  })
  expect((await ask('box.local', 'http://box.local')).status).toBe(200)
  expect((await ask('box.local', 'https://box.local')).status).toBe(403)
  expect((await ask('box.local', `http://localhost:${port}`)).status).toBe(403)
  const socket = await SocketClient.open(server.url, 'secret', { host: `box.local:${port}` })
  expect(await socket.ask({ type: 'watch' })).toMatchObject({ ok: true })
  socket.close()
})

test.each(['*', '*.local', 'http://box.local', 'box.local/', 'a b', ''])(
  'a name that no Host header can have is refused at the start: "%s"',
  async name => {
    await expect(serve({ model: scriptedModel([]) }, { hosts: [name] })).rejects.toMatchObject({ code: 'host.invalid' })
  },
)

test('behind a TLS proxy its origin is the one right one, scheme included; its host is allowed, and loopback as ever', async () => {
  const hosts = ['box.local']
  const server = await serve({ model: scriptedModel([]) }, { hosts, origin: 'https://chat.example.org' })
  const own = `127.0.0.1:${server.port}`
  const ask = async (host: string, origin?: string) => {
    const { status } = await raw(server, 'GET', '/api/conversations', { ...token, host, ...(origin ? { origin } : {}) })
    return status
  }
  for (const [host, origin] of [
    ['chat.example.org', 'https://chat.example.org'],
    ['chat.example.org', undefined],
    ['CHAT.example.org', 'https://chat.example.org'],
    // A proxy that writes the port of https out.
    ['chat.example.org:443', 'https://chat.example.org'],
    // A proxy that does not pass the Host header on.
    [own, 'https://chat.example.org'],
    [own, `http://${own}`],
    ['box.local', undefined],
  ] as const)
    expect(await ask(host, origin), `${host} ${origin}`).toBe(200)
  for (const [host, origin] of [
    ['chat.example.org', 'http://chat.example.org'],
    ['chat.example.org', 'https://chat.example.org:8443'],
    ['chat.example.org:8443', 'https://chat.example.org'],
    ['chat.example.org:80', 'https://chat.example.org'],
    ['chat.example.org:443', 'http://chat.example.org:443'],
    ['chat.example.org', 'https://evil.example'],
    ['chat.example.org', 'null'],
    ['box.local', 'http://box.local'],
    [own, `https://${own}`],
    [own, `http://localhost:${server.port}`],
    ['evil.example', 'https://chat.example.org'],
  ] as const)
    expect(await ask(host, origin), `${host} ${origin}`).toBe(403)
})

test('without a proxy’s origin, https with our host is foreign', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const origin = server.url.replace('http:', 'https:')
  const { status, text } = await raw(server, 'GET', '/api/conversations', { ...token, origin })
  expect([status, JSON.parse(text).error.code]).toEqual([403, 'origin.foreign'])
})

test.each(['chat.example.org', 'https://chat.example.org/', 'https://a.example/b', 'ftp://a.example', '*', ''])(
  'an origin that no Origin header can have is refused at the start: "%s"',
  async origin => {
    await expect(serve({ model: scriptedModel([]) }, { origin })).rejects.toMatchObject({ code: 'origin.invalid' })
  },
)

test('an address of colons is a name in brackets', async () => {
  const server = await serve({ model: scriptedModel([]) }, { host: '::1' })
  expect(server.url).toBe(`http://[::1]:${server.port}`)
  expect((await server.call('GET', '/api/conversations')).status).toBe(200)
})

test.each([
  { name: 'a wrong token', token: 'wrong', headers: {}, status: 401 },
  { name: 'another site’s origin', token: 'secret', headers: { origin: 'http://evil.example' }, status: 403 },
  { name: 'a rebound host', token: 'secret', headers: { host: 'evil.example' }, status: 403 },
])('the socket turns $name away with $status', async ({ token, headers, status }) => {
  const server = await serve({ model: scriptedModel([]) })
  await expect(SocketClient.open(server.url, token, headers)).rejects.toThrow(String(status))
})

test('a socket without a token is turned away', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/socket`)
  await expect(new Promise((_, reject) => socket.on('error', reject))).rejects.toThrow('401')
})

test('a place that is no socket, a wrong protocol and a plain GET are refused in JSON', async () => {
  const server = await serve({ model: scriptedModel([]) })
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
  expect((await raw(server, 'GET', '/api/socket', token)).status).toBe(404)
})

test('others’ conversations, turns and requests are not there for a socket either', async () => {
  const held = gate()
  const server = await serve(
    { model: scriptedModel([callsAdd, () => held.opened.then(() => 'ok')]), tools: [add], use: [approval()] },
    { token: undefined, tokens: 'alice:a-token,bob:b-token' },
  )
  const conversationId = await server.newConversation()
  const [alice, bob] = [await server.join('a-token'), await server.join('b-token')]
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
  await alice.until(isOver)
  held.open()
  expect(bob.frames.filter(({ type }) => type !== 'reply')).toEqual([])
})

test('what is no WebSocket at all does not harm the server', async () => {
  const server = await serve({ model: scriptedModel([]) })
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
