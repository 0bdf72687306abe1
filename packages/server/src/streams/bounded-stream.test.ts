import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { type Model, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { readSse, seqs } from '../../test/read-sse.ts'
import { gate, type Served, serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'
import { boundedStream } from './bounded-stream.ts'

afterEach(() => vi.restoreAllMocks())

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

/** The defaults of `stallMs`, twice: a client may have taken a little meanwhile, and has as long again then. */
const stalledMs = 10_000
const streamStalledMs = 240_000

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

/** The words of the server's pings, as they go out: those that a reader of a slow link has come to. */
function wordsOfPings(): Buffer[] {
  const words: Buffer[] = []
  const { ping } = WebSocket.prototype
  vi.spyOn(WebSocket.prototype, 'ping').mockImplementation(function (this: WebSocket, ...args: unknown[]) {
    if (args[0] instanceof Buffer) words.push(args[0])
    Reflect.apply(ping, this, args)
  })
  return words
}

/** A client that takes nothing of a flood, and sends a pong every four seconds. */
async function stallWithPongs(wordOf: (words: readonly Buffer[]) => Buffer | undefined) {
  const model = scriptedModel([floods, 'ok', 'one', 'two', 'three'])
  const server = await serve({ model, tools: [flood] }, { bufferLimit: 256 * 1024 })
  const [id, other] = [await server.newConversation(), await server.newConversation()]
  const witness = await server.follow(other)
  const slow = await server.follow(id)
  slow.socket.pause()
  const words = wordsOfPings()
  await stallFor(4000, async () => {
    await runFlood(server, id)
    for (const text of ['one', 'two', 'three']) {
      vi.advanceTimersByTime(4000)
      slow.socket.pong(wordOf(words))
      // What a socket sends comes in order: the pong was heard before this turn began.
      slow.socket.send(JSON.stringify({ type: 'send', conversationId: other, text: 'go' }))
      await witness.until(frame => isOver(frame) && frame.text === text)
    }
  })
  slow.socket.resume()
  return slow
}

test('a socket that answers pings reads, though the buffers of the system show nothing of it: it is not closed', async () => {
  let answered = 0
  const slow = await stallWithPongs(words => words[answered++])
  await slow.until(isOver)
  expect(slow.events.map(({ seq }) => seq)).toEqual(slow.events.map((_, i) => i + 1))
})

test.each([
  { pongs: 'that nobody asked for', wordOf: () => undefined },
  { pongs: 'with a word of its own', wordOf: () => Buffer.from('guessed!') },
  { pongs: 'that say again what it has answered', wordOf: (words: readonly Buffer[]) => words[0] },
])('a socket that sends pongs $pongs reads nothing, and is closed', async ({ wordOf }) => {
  const slow = await stallWithPongs(wordOf)
  // It reads the close frame, or is terminated before it does.
  expect([4008, 1006]).toContain(await slow.closed)
})

test('pings go out between the pieces of a long event, for a reader to show by its pongs that it reads', async () => {
  const server = await serve({ model: scriptedModel(['x'.repeat(1_000_000)]) })
  const id = await server.newConversation()
  const reader = await server.follow(id)
  let [pings, inLong] = [0, 0]
  reader.socket.on('ping', () => pings++)
  reader.socket.on('message', data => {
    if (String(data).length > 900_000) inLong = Math.max(inLong, pings)
    pings = 0
  })
  await reader.ask({ type: 'send', conversationId: id, text: 'go' })
  await reader.until(isOver)
  expect(inLong).toBeGreaterThan(50)
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
  await stallFor(streamStalledMs, () => runFlood(server, id))
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
  await stallFor(streamStalledMs, async () => {
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

function opened(method = 'GET') {
  const incoming = new IncomingMessage(new Socket())
  incoming.method = method
  const outgoing = new ServerResponse(incoming)
  const passed = vi.spyOn(outgoing, 'write')
  const [ended, left] = [vi.fn(), vi.fn()]
  const stream = boundedStream(outgoing, { bytes: 1024, stallMs: 1000 }, { onEnd: ended, onLeft: left })
  return { outgoing, ended, left, texts: () => passed.mock.calls.map(([text]) => text), ...stream }
}

test('lines that are written in one tick are one chunk, also at the beginning and at the end', async () => {
  const { answer, write, end, texts, outgoing, left } = opened()
  write('a\n')
  write('é\n')
  answer()
  expect(texts()).toEqual(['a\né\n'])
  write('b\n')
  write('c\n')
  await Promise.resolve()
  write('d\n')
  end()
  expect(texts()).toEqual(['a\né\n', 'b\nc\n', 'd\n'])
  expect([outgoing.writableEnded, left.mock.calls.length]).toEqual([true, 0])
})

test('a stream that is over before its answer begins is answered whole', () => {
  const { answer, write, end, texts, outgoing } = opened()
  write('a\n')
  end()
  answer()
  expect([texts(), outgoing.writableEnded]).toEqual([['a\n'], true])
})

test('a line that is written before the reader has left is dropped with it', async () => {
  const { answer, write, ended, left, texts, outgoing } = opened()
  answer()
  write('a\n')
  outgoing.destroy()
  outgoing.emit('close')
  write('b\n')
  await Promise.resolve()
  expect([ended.mock.calls.length, left.mock.calls.length, texts()]).toEqual([1, 1, []])
})

test('a reader that has left before the answer begins is let go', () => {
  const { answer, ended, left, outgoing } = opened()
  outgoing.destroy()
  answer()
  expect([ended.mock.calls.length, left.mock.calls.length]).toEqual([1, 1])
})

test('whoever asks for the head alone follows nothing', () => {
  const { answer, ended } = opened('HEAD')
  expect(answer().headers.get('content-type')).toMatch('text/event-stream')
  expect(ended).toHaveBeenCalledOnce()
})
