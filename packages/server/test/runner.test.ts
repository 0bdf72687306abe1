import { agentTool, createAgent, type Turn, TurnbuckleError, tool } from 'turnbuckle'
import { createStore, memoryStore, shareTurns } from 'turnbuckle/stores'
import { channelHub, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { createTurnWorker, type TurnOrder, type TurnRunner } from '../src/index.ts'
import { gate, serve } from './serve.ts'

/** A server whose turns run on a worker with an agent of its own, which an engine of a few lines calls. */
async function clustered(script: Parameters<typeof scriptedModel>[0]) {
  const { driver } = memoryStore()
  const orders: TurnOrder[] = []
  const woken: (readonly string[])[] = []
  const mark = tool({ name: 'mark', needsApproval: true, run: () => 'marked' })
  const workerStore = createStore(driver)
  const agent = createAgent({ model: scriptedModel(script), store: workerStore, tools: [mark] })
  const worker = createTurnWorker({ agent, store: workerStore, parkAfterMs: 0 })
  const runner: TurnRunner = {
    async start(order) {
      orders.push(order)
      void worker.work(order).catch(() => {})
    },
    async wake(order, answered) {
      woken.push(answered)
      void worker.work(order).catch(() => {})
    },
  }
  const store = createStore(driver)
  const server = await serve({ model: scriptedModel([]), store, tools: [mark] }, { store, runner })
  return { server, call: server.call, id: await server.newConversation(), orders, woken, store, driver }
}

test('a turn is started with the runner, and its events come from the log', async () => {
  const { server, call, id, orders } = await clustered(['Hello'])
  const events = await server.follow(id)
  const { status, body } = await call('POST', `/api/conversations/${id}/turns`, { text: 'Hi' })
  expect(status).toBe(202)
  expect(orders).toMatchObject([{ conversationId: id, turnId: (body as { turnId: string }).turnId }])
  await events.until(({ type }) => type === 'turn.completed')
})

test.each(['conversation', 'set'] as const)(
  'a turn that the engine has is acknowledged, though the store fails at `%s` from then on',
  async name => {
    const { call, id, orders, store } = await clustered(['Hello'])
    const works: (...given: never[]) => unknown = store[name]
    let failures = 0
    const failing = (...given: never[]) => {
      if (!orders.length || failures > 1) return works(...given)
      failures++
      throw new TurnbuckleError('store.unreachable', 'Down.', { kind: 'store' })
    }
    Object.assign(store, { [name]: failing })
    expect(await call('POST', `/api/conversations/${id}/turns`, { text: 'Hi' })).toMatchObject({
      status: 202,
      body: { turnId: orders[0]?.turnId },
    })
    expect(failures).toBeGreaterThan(0)
  },
)

test('the settings of a conversation go with the order', async () => {
  const { call, id, orders } = await clustered(['Hello'])
  await call('PATCH', `/api/conversations/${id}`, { instructions: 'Be brief.' })
  await call('POST', `/api/conversations/${id}/turns`, { text: 'Hi' })
  expect(orders).toMatchObject([{ start: { settings: { instructions: 'Be brief.' } } }])
})

test('a second turn at the same message is refused while the first runs', async () => {
  const held = gate<string>()
  const { call, id } = await clustered([() => held.opened, 'Later'])
  expect(await call('POST', `/api/conversations/${id}/turns`, { text: 'One' })).toMatchObject({ status: 202 })
  expect(await call('POST', `/api/conversations/${id}/turns`, { text: 'Two' })).toMatchObject({ status: 409 })
  held.open('Done')
})

test('an answer wakes a turn that no process works on', async () => {
  const { server, call, id, woken } = await clustered([{ calls: [{ name: 'mark', id: 'c1' }] }, 'Done'])
  const events = await server.follow(id)
  await call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })
  const { requestId } = (await events.until(({ type }) => type === 'request.opened')) as unknown as {
    requestId: string
  }
  const path = `/api/requests/${encodeURIComponent(requestId)}/answer`
  expect(await call('POST', path, { decision: 'allow' })).toMatchObject({ status: 200 })
  await events.until(({ type }) => type === 'turn.completed')
  expect(woken[0]).toEqual([requestId])
})

test('the same key is the same turn, for the engine too', async () => {
  const { call, id, orders } = await clustered(['Hello', 'Hello again'])
  const path = `/api/conversations/${id}/turns`
  const { status, body } = await call('POST', path, { text: 'Hi' }, { 'idempotency-key': 'k' })
  expect(await call('POST', path, { text: 'Hi' }, { 'idempotency-key': 'k' })).toMatchObject({ status, body })
  expect(new Set(orders.map(({ turnId }) => turnId)).size).toBe(1)
})

test('an answer that a worker refuses while it leaves the turn is taken, and the turn goes on', async () => {
  const { driver } = memoryStore()
  const hub = channelHub()
  const mark = tool({ name: 'mark', needsApproval: true, run: () => 'marked' })
  const workerStore = createStore(driver, { channel: hub.join() })
  const model = scriptedModel([{ calls: [{ name: 'mark', id: 'c1' }] }, 'Done'])
  const agent = createAgent({ model, store: workerStore, tools: [mark] })
  const shared = shareTurns(workerStore, {
    // As a process that has parked its turn in this moment.
    onCommand(id, { type }) {
      if (type !== 'answer') return undefined
      turn?.park()
      return Promise.reject(new TurnbuckleError('request.unknown', `There is no request in "${id}".`))
    },
  })
  let turn: Turn | undefined
  const runner: TurnRunner = {
    async start({ conversationId, turnId, start }) {
      const conversation = await agent.open(conversationId)
      turn = conversation.send(start?.message ?? '', { id: turnId })
      shared.carry(conversation, turn)
    },
    async wake({ conversationId, turnId }) {
      await agent.open(conversationId)
      agent.resume(conversationId, turnId)
    },
  }
  const store = createStore(driver, { channel: hub.join() })
  const server = await serve({ model: scriptedModel([]), store, tools: [mark] }, { store, runner })
  const id = await server.newConversation()
  const events = await server.follow(id)
  await server.call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })
  const { requestId } = await events.until(({ type }) => type === 'request.opened')
  expect(await server.call('POST', `/api/requests/${requestId}/answer`, { decision: 'allow' })).toMatchObject({
    status: 200,
  })
  await events.until(({ type }) => type === 'turn.completed')
  shared.close()
})

/** A turn that waits for a person, and that its worker has left. */
async function waiting() {
  const made = await clustered([{ calls: [{ name: 'mark', id: 'c1' }] }, 'Done'])
  const { server, call, id } = made
  const events = await server.follow(id)
  const { turnId } = (await call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })).body
  const { requestId } = await events.until(({ type }) => type === 'request.opened')
  return { ...made, events, turnId, requestId }
}

test('of two answers the second is taken where the first fails on its way to the log', async () => {
  const { call, events, requestId, driver } = await waiting()
  const { commit } = driver
  const [written, failed] = [gate(), gate()]
  const failOnce: typeof commit = async () => {
    driver.commit = commit
    written.open()
    await failed.opened
    throw new TurnbuckleError('store.unreachable', 'Down.', { kind: 'store' })
  }
  driver.commit = given => (given.records.length ? failOnce(given) : commit.call(driver, given))
  const answer = () => call('POST', `/api/requests/${encodeURIComponent(requestId)}/answer`, { decision: 'allow' })
  const first = answer()
  await written.opened
  const second = answer()
  const wait = new Promise(resolve => setTimeout(resolve, 500, 'waits'))
  expect(await Promise.race([second.then(({ status }) => status), wait])).toBe('waits')
  failed.open()
  expect([(await first).status, (await second).status]).toEqual([503, 200])
  await events.until(({ type }) => type === 'turn.completed')
})

test('a turn that waits for a person can be stopped, and the engine hears of it', async () => {
  const { call, events, turnId, requestId, woken } = await waiting()
  await expect
    .poll(async () => (await call('POST', `/api/turns/${turnId}/interrupt`)).status, { timeout: 60_000 })
    .toBe(202)
  await events.until(({ type }) => type === 'turn.interrupted')
  await expect.poll(() => woken, { timeout: 60_000 }).toContainEqual([requestId])
})

test('the engine hears of a turn whose conversation was deleted', async () => {
  const { call, id, requestId, woken } = await waiting()
  expect(await call('DELETE', `/api/conversations/${id}`)).toMatchObject({ status: 204 })
  expect(woken).toContainEqual([requestId])
})

test('an interrupt at a server ends a sub-agent that works on a worker, and its caller', async () => {
  const { driver } = memoryStore()
  const hub = channelHub()
  const workerStore = createStore(driver, { channel: hub.join() })
  const held = gate<string>()
  const helper = createAgent({ name: 'helper', model: scriptedModel([() => held.opened]), store: workerStore })
  const tools = [agentTool(helper, { name: 'helper' })]
  const model = scriptedModel([{ calls: [{ name: 'helper', args: { task: 'Help' }, id: 'c1' }] }, 'Not reached'])
  const worker = createTurnWorker({ agent: createAgent({ model, store: workerStore, tools }), store: workerStore })
  const work = async (order: TurnOrder) => void worker.work(order).catch(() => {})
  const store = createStore(driver, { channel: hub.join() })
  const runner: TurnRunner = { start: work, wake: work }
  const server = await serve({ model: scriptedModel([]), store, tools }, { store, runner })
  const id = await server.newConversation()
  const events = await server.follow(id)
  const { turnId } = (await server.call('POST', `/api/conversations/${id}/turns`, { text: 'Go' })).body
  const { agentConversationId } = await events.until(({ type }) => type === 'agent.started')
  await expect.poll(async () => (await server.call('POST', `/api/turns/${turnId}/interrupt`)).status).toBe(202)
  await events.until(({ type }) => type === 'turn.interrupted')
  const types = async () => (await store.events(String(agentConversationId))).map(({ type }) => type)
  await expect.poll(types).toContain('turn.interrupted')
})
