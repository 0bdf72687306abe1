import { type Model, middleware } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { readSse } from '../../test/read-sse.ts'
import { gate, serve } from '../../test/serve.ts'
import { isOver } from '../../test/socket-client.ts'

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
  const server = await serve({
    model: scriptedModel([
      {
        chunks: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      },
    ]),
  })
  const id = await server.newConversation()
  const client = await server.join()
  expect(await client.ask({ type: 'subscribe', conversationId: id, after: 0 })).toMatchObject({ ok: true, seq: 0 })
  const sent = await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  expect(sent).toMatchObject({ ok: true, turnId: expect.any(String), seq: 1 })
  await client.until(isOver)
  expect(client.events.map(({ seq }) => seq)).toEqual(client.events.map((_, i) => i + 1))
  const deltas = client.frames.filter(({ type }) => type === 'message.delta')
  expect(deltas.map(({ text, offset, seq }) => ({ text, offset, seq }))).toEqual([
    { text: 'Hel', offset: 0, seq: undefined },
    { text: 'lo', offset: 3, seq: undefined },
  ])
})

test('who comes in the middle of a reply gets the text so far in one piece, then deltas', async () => {
  const { model, say, finish } = steppedModel()
  const server = await serve({ model })
  const id = await server.newConversation()
  const first = await server.follow(id)
  await first.ask({ type: 'send', conversationId: id, text: 'hi' })
  say('one ')
  say('two ')
  await first.until(({ text }) => text === 'two ')
  const late = await server.follow(id)
  expect(await late.until(({ type }) => type === 'message.text')).toMatchObject({ text: 'one two ', offset: 0 })
  say('three')
  expect(await late.until(({ type }) => type === 'message.delta')).toMatchObject({ text: 'three', offset: 8 })
  finish()
  await late.until(isOver)
  expect(late.events).toEqual(first.events)
})

test('a client that goes away cancels nothing; coming back with after loses and repeats nothing', async () => {
  const { model, say, finish } = steppedModel()
  const server = await serve({ model })
  const id = await server.newConversation()
  const first = await server.follow(id)
  await first.ask({ type: 'send', conversationId: id, text: 'hi' })
  say('half')
  await first.until(({ text }) => text === 'half')
  const seen = first.events
  first.socket.terminate()
  await first.closed
  say(' whole')
  finish()
  const second = await server.follow(id, seen.at(-1)?.seq)
  expect(await second.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'half whole' })
  const all = [...seen, ...second.events]
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1))
})

test('a number that the log does not have is answered with resync', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const id = await server.newConversation()
  const client = await server.follow(id, 99)
  expect(await client.until(({ type }) => type === 'resync')).toMatchObject({ conversationId: id, seq: 0 })
})

test('every frame is answered under its id, whatever the id is', async () => {
  const server = await serve({ model: scriptedModel(['ok']) })
  const conversationId = await server.newConversation()
  const client = await server.join()
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

test('interrupt, interject and answer work over the socket, and errors repeat the id', async () => {
  const asks = middleware({
    name: 'asks',
    async beforeTurn(ctx) {
      await ctx.ask('clarification', { question: 'Which?' })
    },
  })
  const held = gate()
  const server = await serve({ model: scriptedModel([() => held.opened.then(() => 'late')]), use: [asks] })
  const id = await server.newConversation()
  const client = await server.follow(id)
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

test('the timeline is told live: what is open, and the same when it ends', async () => {
  const { model, say, finish } = steppedModel()
  const held = gate()
  const slow = middleware({ name: 'slow', beforeModel: () => held.opened })
  const server = await serve({ model, use: [slow] })
  const id = await server.newConversation()
  const client = await server.join()
  const plain = await server.join()
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
  await plain.until(isOver)
  expect(plain.frames.filter(({ type }) => type.startsWith('trace.'))).toEqual([])
  const sse = await readSse(server, id, 'turn.completed')
  expect(sse.join()).not.toContain('trace.')
})

test('who follows a conversation that is deleted is told so once, and a stream of it ends', async () => {
  const held = gate()
  const server = await serve({ model: scriptedModel([() => held.opened.then(() => 'late')]) })
  const id = await server.newConversation()
  const [follower, both] = [await server.follow(id), await server.follow(id)]
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

test('a client that comes back to hundreds of conversations holds up no other', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const ids = await Promise.all(Array.from({ length: 300 }, () => server.newConversation()))
  const [greedy, other] = [await server.join(), await server.join()]
  const all = ids.map(conversationId => greedy.ask({ type: 'subscribe', conversationId, after: 0 }))
  await other.ask({ type: 'subscribe', conversationId: ids[0], after: 0 })
  expect(greedy.frames.length).toBeLessThan(ids.length)
  expect((await Promise.all(all)).map(({ ok, conversationId }) => ok && conversationId)).toEqual(ids)
})

test('reads of the store that hang for a client that has left hold up no other', async () => {
  const store = memoryStore()
  const server = await serve({ model: scriptedModel([]), store }, { store })
  const id = await server.newConversation()
  const [allHang, never] = [gate(), gate()]
  const read = store.conversation.bind(store)
  let hanging = 0
  store.conversation = async wanted => {
    if (wanted.startsWith('stuck')) {
      if (++hanging === 8) allHang.open()
      await never.opened
    }
    return read(wanted)
  }
  const gone = await server.join()
  const frame = (n: number) => JSON.stringify({ type: 'subscribe', conversationId: `stuck-${n}` })
  for (let n = 0; n < 8; n++) gone.socket.send(frame(n))
  await allHang.opened
  gone.socket.terminate()
  const other = await server.join()
  expect(await other.ask({ type: 'subscribe', conversationId: id })).toMatchObject({ ok: true, conversationId: id })
  never.open()
})

test('a conversation that is unsubscribed from at once is not followed', async () => {
  const server = await serve({ model: scriptedModel(['Hi.']) })
  const id = await server.newConversation()
  const client = await server.join()
  const subscribed = client.ask({ type: 'subscribe', conversationId: id, after: 0 })
  await client.ask({ type: 'unsubscribe', conversationId: id })
  expect(await subscribed).toMatchObject({ ok: true, conversationId: id })
  const other = await server.follow(id)
  await client.ask({ type: 'send', conversationId: id, text: 'hi' })
  await other.until(isOver)
  await client.ask({ type: 'unsubscribe', conversationId: id })
  expect(client.events).toEqual([])
})
