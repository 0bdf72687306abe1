import { createAgent } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { gate, serve } from '../../../test/serve.ts'
import type { ScheduledOrder, TurnOrder, TurnRunner } from '../../conversations/turns/turn-runner.ts'
import { createTurnWorker } from '../../work/turn-worker.ts'

const hour = 3_600_000
const soon = Date.now() + hour

afterEach(() => vi.useRealTimers())

/** A server with an engine that only keeps what it is told. */
async function withEngine(failing: boolean | (() => Promise<boolean>) = false) {
  const [kept, woken] = [[] as ScheduledOrder[], [] as (readonly [TurnOrder, readonly string[]])[]]
  const runner: TurnRunner = {
    async start() {},
    async startAt(order) {
      if (typeof failing === 'function' ? await failing() : failing) throw new Error('The engine is down.')
      kept.push(order)
    },
    async wake(order, answered) {
      woken.push([order, answered])
    },
  }
  const store = createStore(memoryStore().driver)
  const tokens = 'alice:secret:owner,bob:of-bob:member'
  const server = await serve({ model: scriptedModel([]), store }, { store, runner, token: undefined, tokens })
  const id = await server.newConversation()
  const call: typeof server.call = (method, path, ...given) =>
    server.call(method, `/api/conversations/${id}/schedules${path}`, ...given)
  const worker = createTurnWorker({ agent: createAgent({ model: scriptedModel([]), store }), store })
  return { server, id, call, kept, woken, worker }
}
const ofBob = { authorization: 'Bearer of-bob' }

test('a schedule is listed with the time of its next turn, and the engine has its time and no message', async () => {
  const { call, id, kept } = await withEngine()
  const once = await call('POST', '', { text: 'Hi', at: soon + hour })
  expect(once).toMatchObject({ status: 201, body: { text: 'Hi', at: soon + hour, by: 'alice' } })
  await call('POST', '', { text: 'Again', at: soon - 10 * hour, every: 3 * hour })
  const { schedules } = (await call('GET', '')).body
  expect(schedules).toMatchObject([
    { text: 'Hi', at: soon + hour },
    { text: 'Again', at: soon + 2 * hour },
  ])
  expect(kept).toMatchObject([
    { conversationId: id, due: { schedule: once.body.id, at: soon + hour } },
    { conversationId: id },
  ])
  expect(JSON.stringify(kept)).not.toContain('Again')
})

test('the same key is one schedule, and refuses another body', async () => {
  const { call, kept } = await withEngine()
  const key = { 'idempotency-key': 'k' }
  const one = await call('POST', '', { text: 'Hi', at: soon }, key)
  expect((await call('POST', '', { text: 'Hi', at: soon }, key)).body).toEqual(one.body)
  expect(await call('POST', '', { text: 'Ho', at: soon }, key)).toMatchObject({
    status: 422,
    body: { error: { code: 'idempotency.mismatch' } },
  })
  expect((await call('GET', '')).body.schedules).toHaveLength(1)
  expect(new Set(kept.map(({ turnId }) => turnId)).size).toBe(1)
})

test('a schedule that is cancelled is gone, and the engine waits no longer', async () => {
  const { call, id, woken } = await withEngine()
  const { body } = await call('POST', '', { text: 'Hi', at: soon })
  expect((await call('DELETE', `/${body.id}`)).status).toBe(204)
  expect((await call('GET', '')).body.schedules).toEqual([])
  expect(woken).toEqual([[expect.objectContaining({ conversationId: id }), [body.id]]])
  expect(await call('DELETE', `/${body.id}`)).toMatchObject({
    status: 404,
    body: { error: { code: 'schedule.missing' } },
  })
})

test('a schedule that is made again with the key of a cancelled one has turns of its own, and the other has none', async () => {
  const { call, kept, worker } = await withEngine()
  const key = { 'idempotency-key': 'k' }
  const one = await call('POST', '', { text: 'Hi', at: 1, every: hour }, key)
  await call('DELETE', `/${one.body.id}`)
  expect((await call('POST', '', { text: 'Hi', at: 1, every: hour }, key)).body).toEqual(one.body)
  const [old, again] = kept
  if (!old || !again) throw new Error('No orders')
  expect(old.turnId).not.toBe(again.turnId)
  expect([await worker.next(old), await worker.work(old)]).toMatchObject([undefined, { state: 'gone' }])
  expect(await worker.next(again)).toMatchObject({ due: { schedule: one.body.id } })
})

test('a call that the engine refuses takes back nothing that another with its key was told of', async () => {
  const first = gate<boolean>()
  const answers = [Promise.resolve(false), first.opened]
  const { call } = await withEngine(() => answers.pop() ?? Promise.resolve(false))
  const key = { 'idempotency-key': 'k' }
  const both = [1, 2].map(() => call('POST', '', { text: 'Hi', at: soon }, key))
  await expect.poll(() => answers.length).toBeLessThan(2)
  first.open(true)
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 500])
  expect((await call('GET', '')).body.schedules).toHaveLength(1)
})

test('a conversation has at most a hundred schedules', async () => {
  const { call } = await withEngine()
  for (let i = 0; i < 100; i++) await call('POST', '', { text: 'Hi', at: soon })
  expect(await call('POST', '', { text: 'Hi', at: soon })).toMatchObject({
    status: 422,
    body: { error: { code: 'schedule.tooMany' } },
  })
  const [{ id }] = (await call('GET', '')).body.schedules
  await call('DELETE', `/${id}`)
  expect((await call('POST', '', { text: 'Hi', at: soon })).status).toBe(201)
})

test('a schedule that the engine does not take is refused, and is not there', async () => {
  const { call } = await withEngine(true)
  expect((await call('POST', '', { text: 'Hi', at: soon })).status).toBe(500)
  expect((await call('GET', '')).body.schedules).toEqual([])
})

test('schedules end with their conversation, and with the share of the person who made them', async () => {
  const { server, id, call, woken } = await withEngine()
  await server.call('PUT', `/api/conversations/${id}/people/bob`, { access: 'talk' })
  const bobs = await call('POST', '', { text: 'Hi', at: soon }, ofBob)
  const own = await call('POST', '', { text: 'Ho', at: soon })
  await server.call('DELETE', `/api/conversations/${id}/people/bob`)
  expect((await call('GET', '')).body.schedules).toMatchObject([{ text: 'Ho', by: 'alice' }])
  await server.call('DELETE', `/api/conversations/${id}`)
  expect(woken.map(([, ids]) => ids)).toEqual([[bobs.body.id], [own.body.id]])
})

test('schedules end where their maker may only read from now on, and where they are revoked, also for a new person of that name', async () => {
  const { server, id, call, kept, worker } = await withEngine()
  const share = (access: string) => server.call('PUT', `/api/conversations/${id}/people/bob`, { access })
  const listed = async () => (await call('GET', '')).body.schedules.map(({ text }: { text: string }) => text)
  await share('talk')
  await call('POST', '', { text: 'Downgraded', at: soon, every: hour }, ofBob)
  await share('read')
  expect(await listed()).toEqual([])
  await share('talk')
  const own = (await server.call('POST', '/api/conversations', {}, ofBob)).body.id
  await call('POST', '', { text: 'Revoked', at: soon, every: hour }, ofBob)
  await server.call('POST', `/api/conversations/${own}/schedules`, { text: 'Own', at: soon }, ofBob)
  expect(await listed()).toEqual(['Revoked'])
  await server.call('DELETE', '/api/people/bob')
  const { token } = (await server.call('POST', '/api/people', { name: 'bob', role: 'member' })).body
  expect(await listed()).toEqual([])
  expect(kept).toHaveLength(3)
  for (const order of kept) {
    expect(await worker.work(order)).toMatchObject({ state: 'gone' })
    expect(await worker.next(order)).toBeUndefined()
  }
  await call('POST', '', { text: 'New', at: soon }, { authorization: `Bearer ${token}` })
  expect(await listed()).toEqual(['New'])
})

test('schedules end with the token of their maker, where that expires', async () => {
  const { server, id, call, kept, worker } = await withEngine()
  const { token } = (await server.call('POST', '/api/people', { name: 'ann', role: 'member', expires: hour / 2 })).body
  await server.call('PUT', `/api/conversations/${id}/people/ann`, { access: 'talk' })
  await call('POST', '', { text: 'Expired', at: soon, every: hour }, { authorization: `Bearer ${token}` })
  await call('POST', '', { text: 'Stays', at: soon, every: hour })
  const listed = async () => (await call('GET', '')).body.schedules.map(({ text }: { text: string }) => text).sort()
  expect(await listed()).toEqual(['Expired', 'Stays'])
  vi.useFakeTimers({ now: Date.now() + hour / 2, toFake: ['Date'] })
  expect(await listed()).toEqual(['Stays'])
  expect(await Promise.all(kept.map(order => worker.next(order)))).toEqual([undefined, expect.anything()])
  expect(await worker.work(kept[0] as ScheduledOrder)).toMatchObject({ state: 'gone' })
})

test('who made a schedule and who cancelled it is in the audit list, without its text', async () => {
  const { server, id, call } = await withEngine()
  const key = { 'idempotency-key': 'k' }
  const { body } = await call('POST', '', { text: 'Hi', at: soon }, key)
  await call('POST', '', { text: 'Hi', at: soon }, key)
  await call('DELETE', `/${body.id}`)
  const about = { by: 'alice', what: body.id, conversationId: id, id: expect.anything(), at: expect.anything() }
  expect((await server.call('GET', '/api/audit')).body.entries).toEqual([
    { ...about, act: 'unscheduled' },
    { ...about, act: 'scheduled' },
  ])
})

test('who may not talk in a conversation schedules and cancels nothing there', async () => {
  const { server, id, call } = await withEngine()
  const { body } = await call('POST', '', { text: 'Hi', at: soon })
  expect((await call('GET', '', undefined, ofBob)).status).toBe(404)
  await server.call('PUT', `/api/conversations/${id}/people/bob`, { access: 'read' })
  expect((await call('GET', '', undefined, ofBob)).body.schedules).toHaveLength(1)
  expect((await call('POST', '', { text: 'Hi', at: soon }, ofBob)).status).toBe(403)
  expect((await call('DELETE', `/${body.id}`, undefined, ofBob)).status).toBe(403)
})

test.each([{ text: '', at: soon }, { text: 'Hi', at: 1.5 }, { text: 'Hi', at: soon, every: 10 }, { text: 'Hi' }])(
  'a schedule has a text and times: %j is refused',
  async body => {
    const { call } = await withEngine()
    expect((await call('POST', '', body)).status).toBe(400)
  },
)

test('a server without an engine says what a schedule needs', async () => {
  const server = await serve({ model: scriptedModel([]) })
  const path = `/api/conversations/${await server.newConversation()}/schedules`
  expect(await server.call('POST', path, { text: 'Hi', at: soon })).toMatchObject({
    status: 422,
    body: { error: { code: 'schedule.unsupported', message: expect.stringContaining('cluster') } },
  })
  expect((await server.call('GET', path)).body).toEqual({ schedules: [] })
})
