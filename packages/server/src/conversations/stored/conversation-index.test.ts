import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test, vi } from 'vitest'
import { defaultOwner } from '../../access/conversation-owner.ts'
import { ConversationIndex, idForKey } from './conversation-index.ts'

const isAlices = ({ owner }: { readonly owner: string }) => owner === 'alice'

const alices = { owner: 'alice', createdAt: 1 }

describe.each([
  { kind: 'in a store', makeStore: () => memoryStore() },
  { kind: 'in memory', makeStore: () => undefined },
])('an index $kind', ({ makeStore }) => {
  const open = () => new ConversationIndex(makeStore())

  test('finds and lists what was put, until it is removed', async () => {
    const index = open()
    await index.put('c', alices)
    expect([await index.find('c'), await index.isServerMade('c')]).toEqual([alices, true])
    expect(await index.list(isAlices, 10)).toMatchObject([{ id: 'c', owner: 'alice', summary: { title: '' } }])
    await index.remove('c', async () => {})
    expect([await index.find('c'), await index.list(isAlices, 10)]).toEqual([undefined, []])
  })

  test('takes the first message as title, once', async () => {
    const store = makeStore()
    const index = new ConversationIndex(store)
    await index.put('c', alices)
    await createAgent({ model: scriptedModel(['Hi.']), store })
      .conversation('c')
      .send('first')
    await index.addTitle({ id: 'c', ...alices }, 'first')
    await index.addTitle({ id: 'c', ...alices }, 'second')
    expect(await index.find('c')).toEqual({ ...alices, said: 'first' })
  })

  test('keeps a conversation whose first turn an engine has and no worker has begun', async () => {
    const index = open()
    await index.put('c', alices)
    await index.addTitle({ id: 'c', ...alices }, 'first')
    expect(await index.isServerMade('c')).toBe(true)
    expect(await index.find('c')).toEqual({ ...alices, said: 'first' })
  })

  test('has nothing of a conversation while it is deleted, and has it again where the deletion fails', async () => {
    const index = open()
    await index.put('c', alices)
    const removed = index.remove('c', async () => {
      expect([await index.find('c'), await index.list(isAlices, 10)]).toEqual([undefined, []])
      throw new Error('disk full')
    })
    await expect(removed).rejects.toThrow('disk full')
    expect(await index.find('c')).toEqual(alices)
  })

  test('takes no title of a conversation that is deleted meanwhile', async () => {
    const index = open()
    await index.put('c', alices)
    await index.remove('c', () => index.addTitle({ id: 'c', ...alices }, 'said while it was deleted'))
    await index.addTitle({ id: 'c', ...alices }, 'said before it was deleted')
    expect([await index.find('c'), await index.list(isAlices, 10)]).toEqual([undefined, []])
  })

  test('keeps an entry that was put under the id of a conversation while it is deleted', async () => {
    const index = open()
    await index.put('c', alices)
    await index.remove('c', () => index.put('c', { owner: 'bob', createdAt: 2 }))
    expect(await index.find('c')).toMatchObject({ owner: 'bob' })
  })
})

test('a long list is read in pages, those of one moment by id, begun and unbegun ones alike', async () => {
  const store = memoryStore()
  const index = new ConversationIndex(store)
  const agent = createAgent({ model: scriptedModel(Array.from({ length: 250 }, () => 'Hi.')), store })
  for (let i = 0; i < 250; i++) {
    const id = `c${String(i).padStart(3, '0')}`
    await index.put(id, { owner: i % 5 ? 'alice' : 'bob', createdAt: i })
    if (i % 2) continue
    await agent.conversation(id).send('hello')
    await index.addTitle({ id, owner: i % 5 ? 'alice' : 'bob', createdAt: i }, 'hello')
  }
  const whole = await index.list(isAlices, Infinity)
  expect(new Set(whole.map(({ id }) => id)).size).toBe(200)
  const places = whole.map(({ id, summary: { updatedAt } }) => ({ id, updatedAt }))
  expect(places).toEqual(places.toSorted((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1)))
  const read: string[] = []
  for (
    let page = await index.list(isAlices, 30);
    page.length;
    page = await index.list(isAlices, 30, places[read.length - 1])
  )
    read.push(...page.map(({ id }) => id))
  expect(read).toEqual(places.map(({ id }) => id))
})

test('a conversation of a terminal is listed under its first message, and is no server’s', async () => {
  const store = memoryStore()
  await createAgent({ model: scriptedModel(['Hi.']), store })
    .conversation('theirs')
    .send('from a terminal')
  const index = new ConversationIndex(store)
  expect(await index.list(({ owner }) => owner === defaultOwner, 10)).toMatchObject([
    { id: 'theirs', owner: defaultOwner, summary: { title: 'from a terminal' } },
  ])
  expect(await index.isServerMade('theirs')).toBe(false)
})

test('a deletion that was not finished is known to the next process', async () => {
  const store = memoryStore()
  await new ConversationIndex(store).put('c', { ...alices, deleting: true })
  expect(await new ConversationIndex(store).unfinishedDeletions()).toEqual(['c'])
})

test('the same key of the same person makes the same id', () => {
  const ids = [idForKey('alice', 'k'), idForKey('alice', 'k'), idForKey('bob', 'k'), idForKey('alice', 'j')]
  expect(new Set(ids).size).toBe(3)
  expect(ids[0]).toBe(ids[1])
})

test('the store is not asked again about an open conversation that has a title', async () => {
  const store = memoryStore()
  const index = new ConversationIndex(store)
  await index.put('c', alices)
  const open = { id: 'c', ...alices }
  await index.addTitle(open, 'first')
  await index.addTitle(open, 'second')
  const get = vi.spyOn(store, 'get')
  await index.addTitle(open, 'third')
  expect(get).not.toHaveBeenCalled()
  // Another one that was made under the same id since is another object.
  await index.put('c', alices)
  await index.addTitle({ ...open }, 'anew')
  expect(await index.find('c')).toEqual({ ...alices, said: 'anew' })
})
