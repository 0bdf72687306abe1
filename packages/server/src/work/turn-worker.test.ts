import { agentTool, createAgent, type Model, middleware, stop, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { gate } from '../../test/serve.ts'
import { MiddlewareSwitches } from '../access/middleware-switches.ts'
import { ConversationIndex } from '../conversations/stored/conversation-index.ts'
import type { TurnOrder } from '../conversations/turns/turn-runner.ts'
import { createTurnWorker } from './turn-worker.ts'

/** Workers on one store, each with an agent of its own, as in processes of their own. */
async function cluster() {
  const { driver } = memoryStore()
  const ran: string[] = []
  await new ConversationIndex(createStore(driver)).put('c', { owner: 'me', createdAt: 1 })
  const worker = (model: Model, parkAfterMs = 0) => {
    const store = createStore(driver)
    const mark = tool({ name: 'mark', needsApproval: true, run: () => void ran.push('mark') })
    const agent = createAgent({ model, store, tools: [mark] })
    const made = createTurnWorker({ agent, store, parkAfterMs })
    const work = (given: TurnOrder) => made.work(given)
    return { made, work, agent, store }
  }
  return { worker, ran }
}
const order = (text?: string): TurnOrder => ({
  conversationId: 'c',
  turnId: 't1',
  ...(text ? { start: { message: { role: 'user', content: [{ type: 'text', text }] } } } : {}),
})
const asks = { calls: [{ name: 'mark', id: 'c1' }] }

test('an order is worked on once, however often it comes', async () => {
  const { worker } = await cluster()
  const { work, store } = worker(scriptedModel(['Done']))
  expect(await work(order('Go'))).toEqual({ state: 'ended', status: 'completed' })
  expect(await worker(scriptedModel([])).work(order('Go'))).toEqual({ state: 'ended', status: 'completed' })
  expect(await store.turns({ conversation: 'c' })).toHaveLength(1)
})

test('an order that comes while it is worked on joins in', async () => {
  const { worker } = await cluster()
  const one = worker(scriptedModel(['Done']))
  const both = [one.work(order('Go')), one.work(order('Go'))]
  expect(one.made.running).toBe(1)
  expect(await Promise.all(both)).toEqual([
    { state: 'ended', status: 'completed' },
    { state: 'ended', status: 'completed' },
  ])
  expect(one.made.running).toBe(0)
})

test('a turn that waits for a person is left, and goes on in another worker with the answer', async () => {
  const { worker, ran } = await cluster()
  const stand = await worker(scriptedModel([asks])).work(order('Go'))
  expect(stand).toMatchObject({ state: 'waiting', requests: [{ id: expect.stringContaining('t1') }] })
  const [request] = stand.state === 'waiting' ? stand.requests : []

  const server = worker(scriptedModel([]))
  await (await server.agent.open('c')).answer(request?.id ?? '', { decision: 'allow' })
  const other = worker(scriptedModel(['Done']))
  expect(await other.work(order())).toEqual({ state: 'ended', status: 'completed' })
  expect(ran).toEqual(['mark'])
})

test('a turn whose sub-agent asks is left, and the sub-agent goes on in another worker', async () => {
  const { driver } = memoryStore()
  const ran: string[] = []
  await new ConversationIndex(createStore(driver)).put('c', { owner: 'me', createdAt: 1 })
  const worker = (model: Model, ofHelper: Model) => {
    const store = createStore(driver)
    const mark = tool({ name: 'mark', needsApproval: true, run: () => void ran.push('mark') })
    const helper = createAgent({ name: 'helper', model: ofHelper, store, tools: [mark] })
    const agent = createAgent({ model, store, tools: [agentTool(helper, { name: 'helper' })] })
    return { agent, work: createTurnWorker({ agent, store, parkAfterMs: 0 }) }
  }
  const calls = { calls: [{ name: 'helper', id: 'c0', args: { task: 'Mark' } }] }
  const stand = await worker(scriptedModel([calls]), scriptedModel([asks])).work.work(order('Go'))
  expect(stand).toMatchObject({ state: 'waiting', requests: [{}] })
  const [request] = stand.state === 'waiting' ? stand.requests : []
  const server = worker(scriptedModel([]), scriptedModel([]))
  await (await server.agent.open('c')).answer(request?.id ?? '', { decision: 'allow' })
  const other = worker(scriptedModel(['Done']), scriptedModel(['Marked']))
  expect(await other.work.work(order())).toEqual({ state: 'ended', status: 'completed' })
  expect(ran).toEqual(['mark'])
})

test('the worker that left a turn can take it up again', async () => {
  const { worker, ran } = await cluster()
  const one = worker(scriptedModel([asks, 'Done']))
  const stand = await one.work(order('Go'))
  const [request] = stand.state === 'waiting' ? stand.requests : []
  const server = worker(scriptedModel([]))
  await (await server.agent.open('c')).answer(request?.id ?? '', { decision: 'allow' })
  expect(await one.work(order())).toEqual({ state: 'ended', status: 'completed' })
  expect(ran).toEqual(['mark'])
})

test('a turn of a conversation that was deleted is gone, and makes no new one', async () => {
  const { worker } = await cluster()
  const { work, store } = worker(scriptedModel([]))
  await new ConversationIndex(store).put('c', undefined)
  expect(await work(order('Go'))).toMatchObject({ state: 'gone' })
  expect(await store.conversation('c')).toBeUndefined()
})

test('a turn of a conversation that no server made is worked on: an imported one, a terminal’s, a sub-agent’s', async () => {
  const store = createStore(memoryStore().driver)
  const helper = createAgent({ name: 'helper', model: scriptedModel(['Helped']), store })
  const calls = { calls: [{ name: 'helper', id: 'c0', args: { task: 'Help' } }] }
  const tools = [agentTool(helper, { name: 'helper' })]
  await createAgent({ model: scriptedModel([calls, 'Hi']), store, tools })
    .conversation('c')
    .send('Hello')
  const ids = (await store.list()).map(({ id }) => id)
  expect(ids).toHaveLength(2)
  const worker = createTurnWorker({ agent: createAgent({ model: scriptedModel(['One', 'Two']), store }), store })
  for (const conversationId of ids)
    expect(await worker.work({ ...order('Go'), conversationId })).toEqual({ state: 'ended', status: 'completed' })
  await store.delete('c')
  for (const conversationId of ids)
    expect(await worker.work({ ...order('On'), conversationId, turnId: 't2' })).toMatchObject({ state: 'gone' })
})

test('a turn behind a message that is not there is gone', async () => {
  const { worker } = await cluster()
  const at = { ...order('Go'), start: { ...order('Go').start, parentId: 'nowhere' } }
  expect(await worker(scriptedModel([])).work(at)).toMatchObject({ state: 'gone' })
})

test('a worker that closes leaves its turn to the next one', async () => {
  const { worker } = await cluster()
  const one = worker(scriptedModel([asks]), 600_000)
  const working = one.work(order('Go'))
  const chat = await one.agent.open('c')
  await new Promise<void>(resolve => chat.subscribe(({ type }) => type === 'request.opened' && resolve()))
  await one.made.close()
  await expect(working).rejects.toMatchObject({ code: 'turn.cut' })
  expect(await worker(scriptedModel([])).work(order())).toMatchObject({ state: 'waiting' })
})

test('middleware that was switched off at a server is off in a worker', async () => {
  const { driver } = memoryStore()
  const [store, serverStore] = [createStore(driver), createStore(driver)]
  await new ConversationIndex(store).put('c', { owner: 'me', createdAt: 1 })
  const closed = () => middleware({ name: 'closed', beforeModel: () => stop('closed') })
  const agent = createAgent({ model: scriptedModel(['Open']), store, use: [closed()] })
  const worker = createTurnWorker({ agent, store })
  onTestFinished(() => worker.close())
  const server = createAgent({ model: scriptedModel([]), use: [closed()] })
  const switches = new MiddlewareSwitches(server, serverStore)
  await switches.switch({ name: 'closed', enabled: false, by: 'ada', at: 1 })
  expect(await worker.work(order('Go'))).toEqual({ state: 'ended', status: 'completed' })
})

test('of turns that wait for switches which cannot be read, none throws away what a later one has read', async () => {
  const microtasks = async (count: number) => {
    for (let i = 0; i < count; i++) await undefined
  }
  const delays = Array.from({ length: 8 }, (_, n) => n)
  for (const [second, third] of delays.flatMap(a => delays.map(b => [a, b] as const))) {
    const store = createStore(memoryStore().driver)
    const reading = gate<Promise<never>>()
    let reads = 0
    const flaky = new Proxy(store, {
      get(target, key) {
        const value = Reflect.get(target, key, target)
        if (key === 'entries')
          return (space: string) =>
            space === 'server.middleware' && reads++ === 0 ? reading.opened : target.entries(space)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const worker = createTurnWorker({ agent: createAgent({ model: scriptedModel([]), store }), store: flaky })
    const work = (conversationId: string) => worker.work({ conversationId, turnId: 't' }).catch(() => {})
    const first = work('a')
    await expect.poll(() => reads).toBe(1)
    reading.open(Promise.reject(new Error('The store is away.')))
    const later = [second, third].map((count, at) => microtasks(count).then(() => work(`b${at}`)))
    await Promise.all([first, ...later])
    await work('c')
    expect(reads, `${second}, ${third}`).toBe(2)
    await worker.close()
  }
})
