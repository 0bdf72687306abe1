import { connect } from 'node:net'
import { type Model, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test, vi } from 'vitest'
import { readSse, seqs } from '../../test/read-sse.ts'
import { gate, type Served, serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'

/** Says 20 MB while it runs. */
const flood = tool({
  name: 'flood',
  run: (_, ctx) => {
    for (let i = 0; i < 400; i++) ctx.emit({ type: 'tool.progress', callId: ctx.call.id, text: 'x'.repeat(50_000) })
    return 'done'
  },
})
const floods = { calls: [{ name: 'flood' }] }

/** Runs the turn of a flood to its end; its id. */
async function runFlood(server: Served, conversationId: string): Promise<string> {
  const watcher = await server.join()
  await watcher.ask({ type: 'watch' })
  const { body } = await server.call('POST', `/api/conversations/${conversationId}/turns`, { text: 'go' })
  await watcher.until(({ type, conversation }) => type === 'conversation.changed' && conversation.running === false)
  return body.turnId
}

/** The default of `stallMs`, twice: a client may have taken a little meanwhile, and has as long again then. */
const stalledMs = 10_000

/** Does something, after which so many milliseconds go by. */
async function stallFor<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const result = await work()
    vi.advanceTimersByTime(ms)
    return result
  } finally {
    vi.useRealTimers()
  }
}

test('a client that does not read for a while, and then does, is told all that it has missed', async () => {
  const server = await serve({ model: scriptedModel([floods, 'ok']), tools: [flood] }, { bufferLimit: 256 * 1024 })
  const id = await server.newConversation()
  const slow = await server.follow(id)
  slow.socket.pause()
  await stallFor(4000, () => runFlood(server, id))
  slow.socket.resume()
  await slow.until(isOver)
  expect(slow.events.map(({ seq }) => seq)).toEqual(slow.events.map((_, i) => i + 1))
  expect(slow.events.length).toBeGreaterThan(400)
})

test('a client that does not read is closed with 4008, alone, and can come back', async () => {
  const model = scriptedModel([floods, 'ok'])
  const server = await serve({ model, tools: [flood] }, { bufferLimit: 256 * 1024 })
  const id = await server.newConversation()
  const slow = await server.follow(id)
  slow.socket.pause()
  const turnId = await stallFor(stalledMs, () => runFlood(server, id))
  slow.socket.resume()
  expect(await slow.closed).toBe(4008)
  expect((await server.call('GET', `/api/conversations/${id}`)).body.turns[0]).toMatchObject({
    id: turnId,
    status: 'completed',
  })
  expect((await server.call('GET', '/healthz')).status).toBe(200)
})

test('a reader of server-sent events that does not read is cut off, and the turn goes on', async () => {
  const server = await serve({ model: scriptedModel([floods, 'ok']), tools: [flood] }, { bufferLimit: 256 * 1024 })
  const id = await server.newConversation()
  const socket = connect(server.port, '127.0.0.1')
  const begun = new Promise(resolve => socket.once('data', resolve))
  socket.write(
    `GET /api/conversations/${id}/events HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer secret\r\n\r\n`,
  )
  await begun
  socket.pause()
  await stallFor(stalledMs, () => runFlood(server, id))
  socket.on('error', () => {})
  const ended = new Promise(resolve => socket.once('close', resolve))
  socket.resume()
  await ended
  expect((await server.call('GET', `/api/conversations/${id}`)).body.turns[0].status).toBe('completed')
})

test('a long log is told no faster than it is read: who reads is not cut off', async () => {
  const model = scriptedModel([floods, 'ok', 'again'])
  const server = await serve({ model, tools: [flood] }, { bufferLimit: 64 * 1024 })
  const id = await server.newConversation()
  await runFlood(server, id)
  const reader = await server.follow(id)
  // Only the end of the second turn says both.
  const sse = readSse(server, id, '"text":"again","usage"')
  await reader.until(isOver)
  const { turnId } = await reader.ask({ type: 'send', conversationId: id, text: 'more' })
  await reader.until(frame => isOver(frame) && frame.turnId === turnId)
  const { length } = reader.events
  expect(length).toBeGreaterThan(400)
  for (const got of [reader.events.map(({ seq }) => seq), seqs(await sse)])
    expect(got).toEqual(Array.from({ length }, (_, i) => i + 1))
})

test('an AG-UI client that does not read is cut off, and has not aborted its run', async () => {
  const goOn = gate()
  const begunLate = gate()
  const late = tool({
    name: 'late',
    async run() {
      begunLate.open()
      await goOn.opened
      return 'done'
    },
  })
  let calls = 0
  const model: Model = {
    id: 'talkative',
    async *stream() {
      for (let i = 0; calls === 0 && i < 400; i++) yield { type: 'text', text: 'x'.repeat(50_000) }
      if (calls++ === 0) yield { type: 'call', id: 'c1', name: 'late', args: {} }
      yield { type: 'finish', reason: 'stop' }
    },
  }
  const server = await serve({ model, tools: [late] }, { bufferLimit: 256 * 1024 })
  const id = await server.newConversation()
  const body = JSON.stringify({ threadId: id, runId: 'r', messages: [{ id: 'u', role: 'user', content: 'go' }] })
  const socket = connect(server.port, '127.0.0.1')
  const begun = new Promise(resolve => socket.once('data', resolve))
  socket.on('error', () => {})
  const ended = new Promise(resolve => socket.once('close', resolve))
  const status = async () => (await server.call('GET', `/api/conversations/${id}`)).body.turns[0].status
  await stallFor(stalledMs, async () => {
    socket.write(
      `POST /ag-ui HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer secret\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await begun
    socket.pause()
    await begunLate.opened
  })
  socket.resume()
  await ended
  goOn.open()
  await expect.poll(status).toBe('completed')
})
