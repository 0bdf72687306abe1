import { createAgent, type Model, middleware } from 'turnbuckle'
import { type ConversationStore, createStore, memoryStore, shareTurns } from 'turnbuckle/stores'
import { channelHub, scriptedModel } from 'turnbuckle/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { followSwitches } from '../src/index.ts'
import { busy, contiguous, fallSilent, sharedStores, start, startOn } from './shared-store.ts'
import { isOver, SocketClient } from './socket-client.ts'

const place = sharedStores()

type Open = () => ConversationStore

/** A place whose stores hear of each other at once: PostgreSQL, or one in memory that plays it, in a moment. */
const heardAtOnce = async (kind: 'memory' | 'postgres', leaseMs = 60_000): Promise<Open> => {
  // Whoever waits for the other's lease fails the test: nothing is to wait for it.
  if (kind === 'postgres') return place(kind, 200, leaseMs, true)
  const hub = channelHub()
  const { driver } = memoryStore()
  return () => createStore(driver, { channel: hub.join(), leaseMs, waitMs: 200 })
}

/** A model that says a word whenever it is told to. */
function dictated() {
  const words: ((word: string | undefined) => void)[] = []
  const model: Model = {
    id: 'dictated',
    async *stream() {
      for (;;) {
        const word = await new Promise<string | undefined>(resolve => words.push(resolve))
        if (word === undefined) return
        yield { type: 'text', text: word }
      }
    },
  }
  const say = async (word?: string) => {
    await expect.poll(() => words.length, { timeout: 20_000 }).toBeGreaterThan(0)
    words.shift()?.(word)
  }
  return { model, say }
}

/** The text of the reply that a follower has seen grow. */
const shown = ({ frames }: SocketClient): string =>
  frames.reduce(
    (text, { type, text: more, offset }) =>
      type === 'message.delta' || type === 'message.text' ? text.slice(0, offset) + more : text,
    '',
  )

const eventually = { timeout: 20_000 }

describe.each(['memory', 'postgres'] as const)('two servers that hear of each other, %s', kind => {
  const open = (leaseMs?: number) => heardAtOnce(kind, leaseMs)

  test('a turn of the other is followed live, also by who comes late, and by who changes servers', async () => {
    const { model, say } = dictated()
    const at = await open()
    const [one, two] = [await start(at, model), await start(at, scriptedModel([]))]
    const id = await one.newConversation()
    const early = await two.follow(id)
    await one.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })
    await say('One ')
    await expect.poll(() => shown(early), eventually).toBe('One ')
    await say('two ')
    const late = await two.follow(id)
    await expect.poll(() => shown(late), eventually).toBe('One two ')
    const here = await one.follow(id)
    await here.until(({ type }) => type === 'message.text')
    const seen = here.events.at(-1).seq
    here.close()
    const moved = await two.follow(id, seen)
    await say('three.')
    for (const client of [early, late, moved]) await expect.poll(() => shown(client), eventually).toBe('One two three.')
    await say()
    for (const client of [early, late, moved])
      expect(await client.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'One two three.' })
    contiguous(early.events)
    expect(late.events).toEqual(early.events)
    expect([...here.events, ...moved.events]).toEqual(early.events)
    expect(early.frames.every(({ type, seq }) => type !== 'message.delta' || seq === undefined)).toBe(true)
  })

  test('a turn of the other is spoken to and interrupted', async () => {
    const { model, say } = dictated()
    const at = await open()
    const [one, two] = [await start(at, model), await start(at, scriptedModel([]))]
    const id = await one.newConversation()
    const client = await two.follow(id)
    const { turnId } = (await one.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })).body
    await say('One ')
    expect((await two.call('POST', `/api/turns/${turnId}/interject`, { text: 'Faster!' })).status).toBe(202)
    await client.until(({ type }) => type === 'interjection.queued')
    expect(await client.ask({ type: 'interrupt', turnId, reason: 'enough' })).toMatchObject({ ok: true })
    expect(await client.until(isOver)).toMatchObject({ type: 'turn.interrupted', reason: 'enough', text: 'One ' })
    const over = await two.call('POST', `/api/turns/${turnId}/interrupt`, {})
    expect(over.body.error.code).toBe('turn.ended')
    contiguous(client.events)
  })

  test('what the other asks is answered here, once, and checked as there', async () => {
    const at = await open()
    const one = await busy(at, 'person')
    const two = await start(at, scriptedModel([]))
    const answer = `/api/requests/${one.requestId}/answer`
    one.letGo()
    expect((await two.call('POST', answer, { choice: 2 })).status).toBe(200)
    expect(await one.client.until(isOver)).toMatchObject({ type: 'turn.completed' })
    expect(one.client.events.find(({ type }) => type === 'request.answered')).toMatchObject({
      decision: { choice: 2 },
      by: 'me',
    })
    expect((await two.call('POST', answer, { choice: 3 })).body.error.code).toBe('request.answered')
  })

  test('beside a turn of the other a conversation is renamed, moved, and gone on with on another branch', async () => {
    const { model, say } = dictated()
    const at = await open()
    const [one, two] = [await start(at, model), await start(at, scriptedModel([]))]
    const id = await one.newConversation()
    const path = `/api/conversations/${id}`
    const client = await one.follow(id)
    await one.call('POST', `${path}/turns`, { text: 'first' })
    await say('Hi.')
    await say()
    await client.until(isOver)
    await one.call('POST', `${path}/turns`, { text: 'second' })
    await say('Now ')
    const named = await two.call('PATCH', path, { title: 'Mine', params: { temperature: 0 } })
    expect(named).toMatchObject({ status: 200, body: { title: 'Mine', running: true } })
    const { body: there } = await one.call('GET', path)
    expect(there).toMatchObject({ title: 'Mine', settings: { params: { temperature: 0 } } })
    const branch = await two.call('POST', `${path}/turns`, { text: 'beside', parentId: null })
    expect(branch.status).toBe(202)
    expect((await one.call('GET', path)).body.turns).toMatchObject([{}, {}, { id: branch.body.turnId }])
    const first = there.nodes[0].id
    expect((await two.call('PATCH', path, { head: first })).status).toBe(200)
    expect((await one.call('GET', path)).body.head).toBe(first)
    contiguous((await two.store.events(id)) as never)
  })

  test('who waits for the other to keep something is told that the conversation was deleted meanwhile', async () => {
    const at = await open()
    const one = await busy(at, 'person')
    const two = await start(at, scriptedModel([]))
    const path = `/api/conversations/${one.id}`
    const follower = await two.follow(one.id)
    const waiting = [
      two.call('POST', `/api/requests/${one.requestId}/answer`, { choice: 1 }),
      two.call('POST', `${path}/turns`, { text: 'x', parentId: null }),
    ]
    await one.server.call('DELETE', path)
    // Each comes before the deletion, or after it; none waits in vain.
    for (const { status } of await Promise.all(waiting)) expect([200, 202, 404, 409]).toContain(status)
    await follower.until(({ type }) => type === 'conversation.deleted')
    expect((await two.call('GET', path)).status).toBe(404)
  })

  test('a turn goes on at the other when its server is gone, and who follows there misses nothing', async () => {
    const { model, say } = dictated()
    const at = await open(500)
    const [one, two] = [await start(at, model), await start(at, scriptedModel(['From two.']))]
    const id = await one.newConversation()
    const client = await two.follow(id)
    await one.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })
    await say('From one')
    await expect.poll(() => shown(client), eventually).toBe('From one')
    fallSilent(one)
    expect(await client.until(({ type }) => type === 'message.discarded')).toMatchObject({ text: 'From one' })
    expect(await client.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'From two.' })
    contiguous(client.events)
  })

  test('who watches the list hears of the other’s conversations: made, running, waiting, renamed, deleted', async () => {
    const at = await open()
    const two = await start(at, scriptedModel([]))
    const watcher = await two.join()
    await watcher.ask({ type: 'watch' })
    const one = await busy(at, 'person')
    const told = (test: (conversation: Record<string, unknown>) => boolean) =>
      watcher.until(({ type, conversation }) => type === 'conversation.changed' && test(conversation))
    await told(({ id }) => id === one.id)
    await told(({ running, waiting }) => running === true && waiting === 1)
    expect((await two.call('GET', '/api/conversations')).body.conversations).toMatchObject([
      { id: one.id, running: true, waiting: 1 },
    ])
    one.letGo()
    await one.client.ask({ type: 'answer', requestId: one.requestId, choice: 1 })
    await one.client.until(isOver)
    await one.server.call('PATCH', `/api/conversations/${one.id}`, { title: 'Named' })
    await told(({ title, running }) => title === 'Named' && running === false)
    await one.server.call('DELETE', `/api/conversations/${one.id}`)
    await watcher.until(({ type, conversationId }) => type === 'conversation.deleted' && conversationId === one.id)
  })

  test('switches, tokens and shares of one count at the other', async () => {
    const at = await open()
    const careful = middleware({ name: 'careful', guard: true, beforeTool: () => undefined })
    const people = { tokens: 'alice:one:owner,bob:two:member', use: [careful] }
    const model = scriptedModel([])
    const [one, two] = [await startOn(at, { model, ...people }), await startOn(at, { model, ...people })]
    const enabled = (agent: { readonly middleware: readonly { readonly name: string; readonly enabled: boolean }[] }) =>
      agent.middleware.find(({ name }) => name === 'careful')?.enabled
    const worker = createAgent({ model, use: [careful] })
    const stop = await followSwitches(worker, two.store)
    onTestFinished(stop)
    for (const isOn of [false, true]) {
      await one.call('PATCH', '/api/middleware/careful', { enabled: isOn })
      await expect.poll(() => [enabled(two.agent), enabled(worker)], eventually).toEqual([isOn, isOn])
    }
    const bob = await SocketClient.open(two.url, 'two')
    onTestFinished(() => bob.socket.terminate())
    await bob.ask({ type: 'watch' })
    const id = await one.newConversation('Ours')
    await one.call('PUT', `/api/conversations/${id}/people/bob`, { access: 'read' })
    await bob.until(({ conversation }) => conversation?.id === id)
    await one.call('DELETE', `/api/conversations/${id}/people/bob`)
    await bob.until(({ type, conversationId }) => type === 'conversation.deleted' && conversationId === id)
    await one.call('DELETE', '/api/people/bob')
    expect(await bob.closed).toBe(4001)
  })

  test('a turn of a process without a server is followed live and interrupted', async () => {
    const { model, say } = dictated()
    const at = await open()
    const server = await start(at, scriptedModel([]))
    const id = await server.newConversation()
    const client = await server.follow(id)
    const store = at()
    const shared = shareTurns(store)
    const agent = createAgent({ model, store })
    onTestFinished(async () => {
      shared.close()
      await agent.close()
      await store.close()
    })
    const conversation = await agent.open(id)
    const turn = conversation.send('go')
    shared.carry(conversation, turn)
    await say('From a worker')
    await expect.poll(() => shown(client), eventually).toBe('From a worker')
    expect(await client.ask({ type: 'interrupt', turnId: turn.id })).toMatchObject({ ok: true })
    expect(await client.until(isOver)).toMatchObject({ type: 'turn.interrupted', text: 'From a worker' })
    contiguous(client.events)
  })
})

test('a channel that was cut is done without, and gone on with when it is back', async () => {
  const hub = channelHub()
  const { driver } = memoryStore()
  const channels = [hub.join(), hub.join()]
  let count = 0
  const at = () => createStore(driver, { channel: channels[count++], leaseMs: 60_000, waitMs: 100 })
  const { model, say } = dictated()
  const [one, two] = [await start(at, model), await start(at, scriptedModel([]))]
  const id = await one.newConversation()
  const client = await two.follow(id)
  const { turnId } = (await one.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })).body
  await say('One ')
  await expect.poll(() => shown(client), eventually).toBe('One ')
  channels[1]?.cut()
  await say('two ')
  const refused = await two.call('POST', `/api/turns/${turnId}/interject`, { text: 'x' })
  expect(refused.body.error.code).toBe('conversation.locked')
  channels[1]?.mend()
  await expect.poll(() => shown(client), eventually).toBe('One two ')
  channels[1]?.cut()
  await say()
  // Nothing is heard any more: the end is found by looking.
  expect(await client.until(isOver)).toMatchObject({ type: 'turn.completed', text: 'One two ' })
  contiguous(client.events)
})
