import { connect } from 'node:net'
import { type Model, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, expect, test } from 'vitest'
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
async function newConversation(): Promise<string> {
  return (await server.call('POST', '/api/conversations', {})).body.id
}
const ends = (frame: { type: string }) => /^turn\.(completed|stopped|failed|interrupted)$/.test(frame.type)

/** Says its words one at a time, each when the test lets it. */
function steppedModel(): { model: Model; say(text: string): void; finish(): void } {
  const waiting: ((text: string | undefined) => void)[] = []
  const said: (string | undefined)[] = []
  const put = (text: string | undefined) => {
    const next = waiting.shift()
    if (next) next(text)
    else said.push(text)
  }
  const take = () =>
    said.length ? Promise.resolve(said.shift()) : new Promise<string | undefined>(resolve => waiting.push(resolve))
  return {
    say: put,
    finish: () => put(undefined),
    model: {
      id: 'stepped',
      async *stream() {
        for (let text = await take(); text !== undefined; text = await take()) yield { type: 'text', text }
        yield { type: 'finish', reason: 'stop' }
      },
    },
  }
}

test('a socket sends, follows and gets contiguous events; deltas carry offsets and no number', async () => {
  server = await serve({
    model: scriptedModel([
      {
        chunks: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      },
    ]),
  })
  const id = await newConversation()
  const client = await join()
  expect(await client.ask({ type: 'subscribe', conversationId: id, after: 0 })).toMatchObject({ ok: true, seq: 0 })
  const sent = await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  expect(sent).toMatchObject({ ok: true, turnId: expect.any(String), seq: 1 })
  await client.until(ends)
  expect(client.events.map(({ seq }) => seq)).toEqual(client.events.map((_, i) => i + 1))
  const deltas = client.frames.filter(({ type }) => type === 'message.delta')
  expect(deltas.map(({ text, offset, seq }) => ({ text, offset, seq }))).toEqual([
    { text: 'Hel', offset: 0, seq: undefined },
    { text: 'lo', offset: 3, seq: undefined },
  ])
})

test('who comes in the middle of a reply gets the text so far in one piece, then deltas', async () => {
  const { model, say, finish } = steppedModel()
  server = await serve({ model })
  const id = await newConversation()
  const first = await join()
  await first.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await first.ask({ type: 'send', conversationId: id, text: 'hi' })
  say('one ')
  say('two ')
  await first.until(({ text }) => text === 'two ')
  const late = await join()
  await late.ask({ type: 'subscribe', conversationId: id, after: 0 })
  expect(await late.until(({ type }) => type === 'message.text')).toMatchObject({ text: 'one two ', offset: 0 })
  say('three')
  expect(await late.until(({ type }) => type === 'message.delta')).toMatchObject({ text: 'three', offset: 8 })
  finish()
  await late.until(ends)
  expect(late.events).toEqual(first.events)
})

test('a client that goes away cancels nothing; coming back with after loses and repeats nothing', async () => {
  const { model, say, finish } = steppedModel()
  server = await serve({ model })
  const id = await newConversation()
  const first = await join()
  await first.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await first.ask({ type: 'send', conversationId: id, text: 'hi' })
  say('half')
  await first.until(({ text }) => text === 'half')
  const seen = first.events
  first.socket.terminate()
  await first.closed
  say(' whole')
  finish()
  const second = await join()
  await second.ask({ type: 'subscribe', conversationId: id, after: seen.at(-1)?.seq })
  expect(await second.until(ends)).toMatchObject({ type: 'turn.completed', text: 'half whole' })
  const all = [...seen, ...second.events]
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1))
})

test('a number that the log does not have is answered with resync', async () => {
  server = await serve({ model: scriptedModel([]) })
  const id = await newConversation()
  const client = await join()
  await client.ask({ type: 'subscribe', conversationId: id, after: 99 })
  expect(await client.until(({ type }) => type === 'resync')).toMatchObject({ conversationId: id, seq: 0 })
})

test('interrupt, interject and answer work over the socket, and errors repeat the id', async () => {
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('clarification', { question: 'Which?' })
    },
  })
  const held = gate()
  server = await serve({ model: scriptedModel([() => held.opened.then(() => 'late')]), use: [asks] })
  const id = await newConversation()
  const client = await join()
  await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  const { requestId } = await client.until(({ type }) => type === 'request.opened')
  expect(await client.ask({ type: 'answer', requestId, choice: 'this' })).toMatchObject({ ok: true })
  expect(await client.until(({ type }) => type === 'request.answered')).toMatchObject({ decision: { choice: 'this' } })
  expect(await client.ask({ type: 'interject', turnId, text: 'and' })).toMatchObject({ ok: true })
  expect(await client.ask({ type: 'interrupt', turnId })).toMatchObject({ ok: true })
  await client.until(({ type }) => type === 'turn.interrupted')
  expect(await client.ask({ type: 'interrupt', turnId })).toMatchObject({
    ok: false,
    status: 409,
    error: { code: 'turn.ended' },
  })
  expect(await client.ask({ type: 'dance' })).toMatchObject({ ok: false, error: { code: 'frame.invalid' } })
  expect(await client.ask({ type: 'subscribe', conversationId: 'none' })).toMatchObject({ ok: false, status: 404 })
  held.open()
})

test.each([
  { sent: { answer: 'blue' }, decision: { answer: 'blue' } },
  { sent: { answer: { id: 7, type: 'colour' } }, decision: { id: 7, type: 'colour' } },
  { sent: { answer: { deep: true }, more: 1 }, decision: { answer: { deep: true }, more: 1 } },
  { sent: {}, decision: {} },
])('an answer over the socket has the fields that it has over HTTP: $sent', async ({ sent, decision }) => {
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('colour', { question: 'Which?' })
    },
  })
  server = await serve({ model: scriptedModel(['Fine.']), use: [asks] })
  const id = await newConversation()
  const client = await join()
  await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  const { requestId } = await client.until(({ type }) => type === 'request.opened')
  expect(await client.ask({ type: 'answer', requestId, ...sent })).toMatchObject({ ok: true, decision })
  expect((await client.until(({ type }) => type === 'request.answered')).decision).toEqual(decision)
})

test('malformed and deep frames are answered, a huge one ends that socket alone', async () => {
  server = await serve({ model: scriptedModel(['still here']) })
  const id = await newConversation()
  const [bad, good] = [await join(), await join()]
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
  expect(await good.until(ends)).toMatchObject({ text: 'still here' })
})

test('a client that does not read is closed with 4008, alone, and can come back', async () => {
  const flood = tool({
    name: 'flood',
    run: (_, ctx) => {
      for (let i = 0; i < 400; i++) ctx.emit({ type: 'tool.progress', callId: ctx.call.id, text: 'x'.repeat(50_000) })
      return 'done'
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'flood' }] }, 'ok'])
  server = await serve({ model, tools: [flood] }, { bufferLimit: 256 * 1024 })
  const id = await newConversation()
  const slow = await join()
  await slow.ask({ type: 'subscribe', conversationId: id, after: 0 })
  slow.socket.pause()
  const watcher = await join()
  await watcher.ask({ type: 'watch' })
  const { body } = await server.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })
  await watcher.until(({ type, conversation }) => type === 'conversation.changed' && conversation.running === false)
  slow.socket.resume()
  expect(await slow.closed).toBe(4008)
  expect((await server.call('GET', `/api/conversations/${id}`)).body.turns[0]).toMatchObject({
    id: body.turnId,
    status: 'completed',
  })
  expect((await server.call('GET', '/healthz')).status).toBe(200)
})

test.each([
  { name: 'a wrong token', token: 'wrong', headers: {}, status: 401 },
  { name: 'another site’s origin', token: 'secret', headers: { origin: 'http://evil.example' }, status: 403 },
  { name: 'a rebound host', token: 'secret', headers: { host: 'evil.example' }, status: 403 },
])('the socket turns $name away with $status', async ({ token, headers, status }) => {
  server = await serve({ model: scriptedModel([]) })
  await expect(SocketClient.open(server.url, token, headers)).rejects.toThrow(String(status))
})

test('a socket without a token is turned away', async () => {
  server = await serve({ model: scriptedModel([]) })
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/socket`)
  await expect(new Promise((_, reject) => socket.on('error', reject))).rejects.toThrow('401')
})

async function readSse(
  after: string | undefined,
  headers: Record<string, string>,
  id: string,
  until: (text: string) => boolean,
) {
  const abort = new AbortController()
  const query = after === undefined ? '' : `?after=${after}`
  const response = await fetch(`${server.url}/api/conversations/${id}/events${query}`, {
    headers: { authorization: 'Bearer secret', ...headers },
    signal: abort.signal,
  })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (until(text)) break
  }
  abort.abort()
  return text
}
const seqs = (text: string) => Array.from(text.matchAll(/^id: (\d+)$/gm), ([, seq]) => Number(seq))

test('server-sent events replay from after and honour Last-Event-ID', async () => {
  server = await serve({ model: scriptedModel(['Hello']) })
  const id = await newConversation()
  const live = readSse('0', {}, id, text => text.includes('turn.completed'))
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'hi' })
  const all = seqs(await live)
  expect(all).toEqual(all.map((_, i) => i + 1))
  const last = await readSse('0', { 'last-event-id': '2' }, id, text => text.includes('turn.completed'))
  expect(seqs(last)[0]).toBe(3)
  expect((await server.call('GET', `/api/conversations/${id}/events?after=x`)).status).toBe(400)
})

test('a reader of server-sent events that does not read is cut off, and the turn goes on', async () => {
  const flood = tool({
    name: 'flood',
    run: (_, ctx) => {
      for (let i = 0; i < 400; i++) ctx.emit({ type: 'tool.progress', callId: ctx.call.id, text: 'x'.repeat(50_000) })
      return 'done'
    },
  })
  server = await serve(
    { model: scriptedModel([{ calls: [{ name: 'flood' }] }, 'ok']), tools: [flood] },
    { bufferLimit: 256 * 1024 },
  )
  const id = await newConversation()
  const socket = connect(server.port, '127.0.0.1')
  const begun = new Promise(resolve => socket.once('data', resolve))
  socket.write(
    `GET /api/conversations/${id}/events HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer secret\r\n\r\n`,
  )
  await begun
  socket.pause()
  const watcher = await join()
  await watcher.ask({ type: 'watch' })
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })
  await watcher.until(({ type, conversation }) => type === 'conversation.changed' && conversation.running === false)
  socket.on('error', () => {})
  const ended = new Promise(resolve => socket.once('close', resolve))
  socket.resume()
  await ended
  expect((await server.call('GET', `/api/conversations/${id}`)).body.turns[0].status).toBe('completed')
})

test('the timeline is told live: what is open, and the same when it ends', async () => {
  const { model, say, finish } = steppedModel()
  const held = gate()
  const slow = middleware({ name: 'slow', beforeModel: () => held.opened })
  server = await serve({ model, use: [slow] })
  const id = await newConversation()
  const client = await join()
  const plain = await join()
  await client.ask({ type: 'subscribe', conversationId: id, after: 0, trace: true })
  await plain.ask({ type: 'subscribe', conversationId: id, after: 0 })
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  const opened = (name: string) =>
    client.until(({ type, span }) => type === 'trace.opened' && (span.at ?? span.stage) === name)
  const hook = (await opened('beforeModel')).span
  const stage = (await opened('model')).span
  expect(hook).toMatchObject({ parentId: stage.id, kind: 'hook', by: 'slow', startedAt: expect.any(Number) })
  const path = `/api/turns/${turnId}/trace`
  const running = (await server.call('GET', path)).body.open.map(
    (span: { at?: string; stage: string }) => span.at ?? span.stage,
  )
  expect(running).toEqual(['turn', 'step', 'model', 'beforeModel'])
  held.open()
  expect(await client.until(({ type, span }) => type === 'trace.span' && span.id === hook.id)).toMatchObject({
    span: { ...hook, durationMs: expect.any(Number) },
  })
  say('x')
  finish()
  await client.until(({ type, span }) => type === 'trace.span' && span.stage === 'turn')
  expect((await server.call('GET', path)).body).toMatchObject({ open: [], spans: expect.anything() })
  await plain.until(ends)
  expect(plain.frames.filter(({ type }) => type.startsWith('trace.'))).toEqual([])
  const sse = await readSse('0', {}, id, text => text.includes('turn.completed'))
  expect(sse).not.toContain('trace.')
})

test('a long log is told no faster than it is read: who reads is not cut off', async () => {
  const flood = tool({
    name: 'flood',
    run: (_, ctx) => {
      for (let i = 0; i < 400; i++) ctx.emit({ type: 'tool.progress', callId: ctx.call.id, text: 'x'.repeat(50_000) })
      return 'done'
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'flood' }] }, 'ok', 'again'])
  server = await serve({ model, tools: [flood] }, { bufferLimit: 64 * 1024 })
  const id = await newConversation()
  const watcher = await join()
  await watcher.ask({ type: 'watch' })
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })
  await watcher.until(({ type, conversation }) => type === 'conversation.changed' && conversation.running === false)
  const reader = await join()
  await reader.ask({ type: 'subscribe', conversationId: id, after: 0 })
  const sse = readSse('0', {}, id, text => text.includes('"again"'))
  await reader.until(ends)
  const { turnId } = await reader.ask({ type: 'send', conversationId: id, text: 'more' })
  await reader.until(frame => ends(frame) && frame.turnId === turnId)
  const { length } = reader.events
  expect(length).toBeGreaterThan(400)
  for (const got of [reader.events.map(({ seq }) => seq), seqs(await sse)])
    expect(got.slice(0, length - 1)).toEqual(Array.from({ length: length - 1 }, (_, i) => i + 1))
})

test('who follows a conversation that is deleted is told so once, and a stream of it ends', async () => {
  const held = gate()
  server = await serve({ model: scriptedModel([() => held.opened.then(() => 'late')]) })
  const id = await newConversation()
  const [follower, both] = [await join(), await join()]
  for (const client of [follower, both]) await client.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await both.ask({ type: 'watch' })
  const { turnId } = await follower.ask({ type: 'send', conversationId: id, text: 'hi' })
  const response = await fetch(`${server.url}/api/conversations/${id}/events`, {
    headers: { authorization: 'Bearer secret' },
  })
  expect((await server.call('DELETE', `/api/conversations/${id}`)).status).toBe(204)
  expect(await response.text()).toContain('conversation.deleted')
  const deleted = ({ type }: { type: string }) => type === 'conversation.deleted'
  for (const client of [follower, both]) {
    await client.until(deleted)
    await client.ask({ type: 'unsubscribe', conversationId: id })
    expect(client.frames.filter(deleted)).toHaveLength(1)
  }
  expect(await follower.ask({ type: 'interrupt', turnId })).toMatchObject({ ok: false, status: 404 })
  held.open()
})
