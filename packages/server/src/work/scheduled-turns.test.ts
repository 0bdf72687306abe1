import { agentTool, createAgent } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { Shares } from '../access/shares.ts'
import { ConversationIndex } from '../conversations/stored/conversation-index.ts'
import { StoredSchedules } from '../conversations/stored/stored-schedules.ts'
import { dueTurn } from '../conversations/turns/due-turn.ts'
import { createTurnWorker } from './turn-worker.ts'

async function scheduled(every?: number) {
  const store = createStore(memoryStore().driver)
  await new ConversationIndex(store).put('c', { owner: 'me', createdAt: 1 })
  const schedules = new StoredSchedules(store)
  const schedule = { id: 's', making: 'm', text: 'Hi', by: 'me', at: 1000, ...(every === undefined ? {} : { every }) }
  await schedules.put('c', schedule)
  const model = scriptedModel(['One', 'Two'])
  const worker = createTurnWorker({ agent: createAgent({ model, store }), store })
  const said = async () =>
    (await store.nodes('c')).flatMap(({ message }) => (message.role === 'user' ? message.content : []))
  return { store, schedules, worker, said, order: dueTurn('c', schedule) }
}
const hi = { type: 'text', text: 'Hi' }

test('a turn of a schedule begins with the message that the store has, in the name of who made it', async () => {
  const { worker, order, said, store, schedules } = await scheduled()
  expect(await worker.work(order)).toEqual({ state: 'ended', status: 'completed' })
  expect(await said()).toEqual([hi])
  expect((await store.events('c')).find(({ type }) => type === 'turn.started')).toMatchObject({
    tag: { schedule: 's' },
  })
  await expect.poll(() => schedules.list('c')).toEqual([])
  expect(await worker.next(order)).toBeUndefined()
  expect(await new ConversationIndex(store).list(() => true, 1)).toMatchObject([{ summary: { title: 'Hi' } }])
})

test('an order that comes again is the same turn, though its schedule is over', async () => {
  const { worker, order, said } = await scheduled()
  await worker.work(order)
  expect(await worker.work(order)).toEqual({ state: 'ended', status: 'completed' })
  expect(await said()).toEqual([hi])
})

test('a schedule that was cancelled sends nothing, and has no next turn', async () => {
  const { worker, order, said, schedules } = await scheduled(1000)
  await schedules.remove('c', 's')
  expect(await worker.work(order)).toMatchObject({ state: 'gone' })
  expect(await worker.next(order)).toBeUndefined()
  expect(await said()).toEqual([])
})

test.each([
  { who: 'a stranger', ends: true },
  { who: 'who reads', shares: { c: 'read' }, ends: true },
  { who: 'who talks', shares: { c: 'talk' }, ends: false },
] as const)('a turn begins in the name of who may talk there then: $who', async ({ ends, ...given }) => {
  const { store, worker, schedules, said } = await scheduled()
  const schedule = { id: 'b', making: 'm', text: 'Hi', by: 'bob', at: 1000, every: 1000 }
  await schedules.put('c', schedule)
  const shares = new Shares(store)
  for (const [conversationId, access] of Object.entries('shares' in given ? given.shares : {}))
    await shares.set({ conversationId, person: 'bob', access })
  const order = dueTurn('c', schedule)
  expect(await worker.work(order)).toMatchObject({ state: ends ? 'gone' : 'ended' })
  expect(await said()).toEqual(ends ? [] : [hi])
  expect((await worker.next(order)) === undefined).toBe(ends)
  expect((await schedules.list('c')).map(({ by }) => by)).toEqual(ends ? ['me'] : ['bob', 'me'])
})

test('who may talk in a conversation has schedules in its sub-agents’ for as long', async () => {
  const { store, worker, schedules } = await scheduled()
  const helper = createAgent({ name: 'helper', model: scriptedModel(['Helped']), store })
  const calls = { calls: [{ name: 'helper', id: 'c0', args: { task: 'Help' } }] }
  const tools = [agentTool(helper, { name: 'helper' })]
  await (await createAgent({ model: scriptedModel([calls, 'Hi']), store, tools }).open('c')).send('Go')
  const subAgent = (await store.list()).find(({ caller }) => caller !== undefined)?.id ?? ''
  const [first, second] = [1, 2].map(at => ({ id: `s${at}`, making: 'm', text: 'Hi', by: 'bob', at }))
  if (!first || !second) throw new Error('No schedules')
  for (const schedule of [first, second]) await schedules.put(subAgent, schedule)
  const shares = new Shares(store)
  await shares.set({ conversationId: 'c', person: 'bob', access: 'talk' })
  expect(await worker.work(dueTurn(subAgent, first))).toMatchObject({ state: 'ended' })
  await shares.forget('c')
  expect(await worker.work(dueTurn(subAgent, second))).toMatchObject({ state: 'gone' })
})

test('a schedule that goes on stays, and its next turn is at a time of it that is to come', async () => {
  const { worker, order, schedules } = await scheduled(1000)
  const before = Date.now()
  const next = await worker.next(order)
  expect(next?.due.at).toBeGreaterThan(before)
  expect(next?.due.at).toBeLessThanOrEqual(Date.now() + 1001)
  expect((next?.due.at ?? 1) % 1000).toBe(0)
  await worker.work(order)
  if (next) await worker.work(next)
  expect(await schedules.list('c')).toHaveLength(1)
})

test('a turn of a schedule has the settings that its conversation has then', async () => {
  const store = createStore(memoryStore().driver)
  await new ConversationIndex(store).put('c', { owner: 'me', createdAt: 1 })
  await new StoredSchedules(store).put('c', { id: 's', making: 'm', text: 'Hi', by: 'me', at: 1 })
  const seen: unknown[] = []
  const model = scriptedModel([
    ({ instructions }) => {
      seen.push(instructions)
      return 'One'
    },
  ])
  const agent = createAgent({ model, store })
  const conversation = await agent.open('c')
  await conversation.emit({ type: 'settings.changed', settings: { instructions: 'Be brief.' } } as never)
  const worker = createTurnWorker({ agent, store })
  await worker.work(dueTurn('c', { id: 's', making: 'm', at: 1 }))
  expect(seen).toEqual(['Be brief.'])
})
