import { createAgent, middleware, stop } from 'turnbuckle'
import { createStore, type Driver, type ListAsked, type Loss, memoryStore, type SearchAsked } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

test('a loss known when the store is made is told once, and shown', () => {
  const told: Loss[] = []
  const loss = { message: 'Half of it is gone.' }
  const store = createStore(memoryStore().driver, { onLoss: each => told.push(each) }, loss)
  expect([told, store.loss]).toEqual([[loss], loss])
  expect(createStore(memoryStore().driver).loss).toBeUndefined()
})

test('lists and searches ask the driver for 50 rows unless they are told; a search knows no zero character', () => {
  const { driver } = memoryStore()
  const asked: (ListAsked | SearchAsked)[] = []
  const noting: Driver = Object.assign(Object.create(driver) as Driver, {
    list: (where: ListAsked) => void asked.push(where),
    search: (where: SearchAsked) => void asked.push(where),
  })
  const store = createStore(noting)
  store.list()
  store.list({ limit: 2, owner: 'ann' })
  store.search({ text: 'a\0b' })
  expect(asked).toEqual([
    { limit: 50, before: undefined, owner: undefined },
    { limit: 2, before: undefined, owner: 'ann' },
    { text: 'a b', limit: 50, owner: undefined },
  ])
})

test('the decisions of a turn that has ended are found by its id; of another turn there are none', async () => {
  const store = memoryStore()
  const use = [middleware({ name: 'stops', beforeStep: () => stop('enough') })]
  const turn = createAgent({ model: scriptedModel([]), store, use })
    .conversation('c')
    .send('Go.')
  await turn.settled
  expect(await store.decisions('c', turn.id)).toMatchObject([{ directive: 'stop', by: 'stops', reason: 'enough' }])
  expect(await store.decisions('c', 'other')).toEqual([])
})

test('events are those of the log with their conversation, notes left out', async () => {
  const store = memoryStore()
  await createAgent({ model: scriptedModel(['Hi.']), store })
    .conversation('c')
    .send('Go.')
  const events = await store.events('c')
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))
  expect(new Set(events.map(({ conversationId }) => conversationId))).toEqual(new Set(['c']))
  expect(await store.events('c', 1, 2)).toEqual(events.slice(1, 3))
})
