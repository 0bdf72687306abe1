import { createAgent, TurnbuckleError } from 'turnbuckle'
import { type ConversationStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { gate, type Served, serve } from '../../../test/serve.ts'
import { isOver } from '../../../test/socket-client.ts'

let server: Served

const view = async (id: string) => (await server.call('GET', `/api/conversations/${id}`)).body

/** A store that counts how often each log was read. */
function counting(): { store: ConversationStore; reads: Map<string, number> } {
  const reads = new Map<string, number>()
  const store = memoryStore()
  const events: ConversationStore['events'] = (id, ...rest) => {
    reads.set(id, (reads.get(id) ?? 0) + 1)
    return store.events(id, ...rest)
  }
  return { store: { ...store, events }, reads }
}

test('conversations that nobody follows are let go of, the longest unused first, and read again when asked for', async () => {
  const { store, reads } = counting()
  server = await serve({ model: scriptedModel(['Hi.'], { repeat: true }), store }, { store, keptIdle: 2 })
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await server.newConversation())
  const [first = '', second = '', third = '', fourth = ''] = ids
  await view(third)
  await view(fourth)
  expect([...reads]).toEqual([])
  const before = await view(first)
  await view(second)
  expect([...reads.keys()]).toEqual([first, second])
  const client = await server.follow(first)
  const { turnId } = (await server.call('POST', `/api/conversations/${first}/turns`, { text: 'hi' })).body
  await client.until(isOver)
  client.close()
  await client.closed
  for (const id of [second, third, fourth]) await view(id)
  expect(await server.call('POST', `/api/turns/${turnId}/interrupt`)).toMatchObject({ status: 409 })
  expect((await view(first)).nodes).toHaveLength(before.nodes.length + 2)
  expect(reads.get(first)).toBe(2)
})

test('a conversation is kept while somebody follows it, a turn runs or a question waits', async () => {
  const { store, reads } = counting()
  const held = gate()
  const model = scriptedModel([() => held.opened.then(() => 'late')], { repeat: true })
  server = await serve({ model, store }, { store, keptIdle: 0 })
  const [followed, running, idle] = [
    await server.newConversation(),
    await server.newConversation(),
    await server.newConversation(),
  ]
  const client = await server.follow(followed)
  const { turnId } = (await server.call('POST', `/api/conversations/${running}/turns`, { text: 'go' })).body
  const read = new Map(reads)
  for (let i = 0; i < 3; i++) for (const id of [followed, running, idle]) await view(id)
  expect(reads.get(followed)).toBe(read.get(followed))
  expect(reads.get(running)).toBe(read.get(running))
  expect(reads.get(idle)).toBe((read.get(idle) ?? 0) + 3)
  expect((await view(running)).turns).toMatchObject([{ id: turnId, status: 'running' }])
  held.open()
  const late = await server.follow(running)
  await late.until(isOver)
  expect(client.events).toEqual([])
})

test('what another process wrote to the log comes first, in order', async () => {
  const store = memoryStore()
  server = await serve({ model: scriptedModel(['Here.'], { repeat: true }), store }, { store })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'one' })
  await client.until(isOver)
  const seen = client.events.length
  const elsewhere = createAgent({ model: scriptedModel(['There.']), store })
  await (await elsewhere.open(id)).send('two')
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'three' })).body
  await client.until(frame => isOver(frame) && frame.turnId === turnId)
  const { events } = client
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  const texts = events.filter(isOver).map(({ text }) => text)
  expect(texts).toEqual(['Here.', 'There.', 'Here.'])
  expect(events.length).toBeGreaterThan(seen * 2)
})

test('a log that cannot be written to refuses the turn, and once it can the conversation goes on', async () => {
  const store = memoryStore()
  let full = false
  const { driver } = store
  const commit = driver.commit.bind(driver)
  driver.commit = given => {
    if (full && given.records.length) throw new Error('disk full: /home/ada/secret.db')
    return commit(given)
  }
  const errors: unknown[] = []
  server = await serve(
    { model: scriptedModel(['Hi.'], { repeat: true }), store },
    { store, onError: e => errors.push(e) },
  )
  const id = await server.newConversation()
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'one' })
  await client.until(isOver)
  full = true
  const refused = await server.call('POST', `/api/conversations/${id}/turns`, { text: 'two' })
  expect(refused.status).toBe(500)
  expect(JSON.stringify(refused.body)).not.toContain('secret')
  expect(errors).toHaveLength(1)
  expect(JSON.stringify(client.frames)).not.toContain('secret')
  full = false
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'two' })).body
  await client.until(frame => isOver(frame) && frame.turnId === turnId)
  const numbered = client.events
  expect(numbered.map(({ seq }) => seq)).toEqual(numbered.map((_, i) => i + 1))
  expect((await view(id)).turns.map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed'])
})

test('who follows a turn that the store fails is told so without the store’s own words, which are reported', async () => {
  const store = memoryStore()
  let isFull = false
  const { driver } = store
  const commit = driver.commit.bind(driver)
  driver.commit = given => {
    if (isFull && given.records.length)
      throw new TurnbuckleError('store.full', 'No space left for "/home/ada/secret.db".', { kind: 'store' })
    return commit(given)
  }
  const errors: unknown[] = []
  const held = gate()
  const model = scriptedModel([() => held.opened.then(() => 'Hi.')], { repeat: true })
  server = await serve({ model, store }, { store, onError: e => errors.push(e) })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'one' })
  isFull = true
  held.open()
  const words = 'The server has no space left to store this. (store.full)'
  expect(await client.until(isOver)).toMatchObject({ type: 'turn.failed', by: 'store', reason: words, error: words })
  expect(String(errors[0])).toContain('secret.db')
  expect((await server.call('PATCH', `/api/conversations/${id}`, { title: 'x' })).status).toBe(507)
  expect(await client.until(({ type }) => type === 'log.refused')).toMatchObject({ code: 'store.full', error: words })
  expect(JSON.stringify(client.frames)).not.toContain('secret')
})

test('a turn that the store fails again and again has one end, until it goes on', async () => {
  const store = memoryStore()
  const { driver } = store
  const commit = driver.commit.bind(driver)
  let [isFull, refused] = [false, 0]
  driver.commit = given => {
    if (!isFull) return commit(given)
    refused++
    throw new TurnbuckleError('store.full', 'No space left.', { kind: 'store' })
  }
  const held = gate()
  const model = scriptedModel([() => held.opened.then(() => 'Hi.')], { repeat: true })
  server = await serve({ model, store }, { store })
  const id = await server.newConversation()
  const client = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'one' })
  isFull = true
  held.open()
  await client.until(isOver)
  for (let times = 0; times < 3; times++) {
    const before = refused
    await view(id)
    await expect.poll(() => refused).toBeGreaterThan(before)
  }
  isFull = false
  await expect.poll(async () => (await view(id)).turns[0].status).toBe('completed')
  await client.until(({ type }) => type === 'turn.completed')
  expect(client.frames.filter(isOver).map(({ type }) => type)).toEqual(['turn.failed', 'turn.completed'])
})

test('who asked for a conversation before another opened it gets that one, and leaves its turn as it is', async () => {
  const kept = memoryStore()
  const [asked, held] = [gate(), gate()]
  let slow = false
  const store: ConversationStore = {
    ...kept,
    async get(space, key) {
      if (slow) {
        slow = false
        asked.open()
        await held.opened
      }
      return kept.get(space, key)
    },
  }
  const model = scriptedModel([() => new Promise<string>(() => {})])
  const server = await serve({ model, store }, { store, keptIdle: 0 })
  const id = await server.newConversation()
  slow = true
  const late = server.call('GET', `/api/conversations/${id}`)
  await asked.opened
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'go' })).body
  held.open()
  expect((await late).body.turns).toMatchObject([{ id: turnId, status: 'running' }])
  expect((await server.call('POST', `/api/turns/${turnId}/interrupt`)).status).toBe(202)
})
