import { createAgent, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
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
  const server = await serve({ model: scriptedModel([]), store }, { store, runner })
  return { server, call: server.call, id: await server.newConversation(), orders, woken }
}

test('a turn is started with the runner, and its events come from the log', async () => {
  const { server, call, id, orders } = await clustered(['Hello'])
  const events = await server.follow(id)
  const { status, body } = await call('POST', `/api/conversations/${id}/turns`, { text: 'Hi' })
  expect(status).toBe(202)
  expect(orders).toMatchObject([{ conversationId: id, turnId: (body as { turnId: string }).turnId }])
  await events.until(({ type }) => type === 'turn.completed')
})

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
  const first = await call('POST', path, { text: 'Hi' }, { 'idempotency-key': 'k' })
  expect(await call('POST', path, { text: 'Hi' }, { 'idempotency-key': 'k' })).toEqual(first)
  expect(new Set(orders.map(({ turnId }) => turnId)).size).toBe(1)
})
