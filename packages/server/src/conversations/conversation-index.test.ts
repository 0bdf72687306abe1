import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { defaultOwner } from '../access/conversation-owner.ts'
import { ConversationIndex, idForKey } from './conversation-index.ts'

const alices = { owner: 'alice', createdAt: 1 }

describe.each([
  { kind: 'in a store', open: () => new ConversationIndex(memoryStore()) },
  { kind: 'in memory', open: () => new ConversationIndex(undefined) },
])('an index $kind', ({ open }) => {
  test('finds and lists what was put, until it is removed', async () => {
    const index = open()
    await index.put('c', alices)
    expect([await index.find('c'), await index.isServerMade('c')]).toEqual([alices, true])
    expect(await index.list()).toMatchObject([{ id: 'c', owner: 'alice', summary: { title: '' } }])
    await index.remove('c', async () => {})
    expect([await index.find('c'), await index.list()]).toEqual([undefined, []])
  })

  test('takes the first message as title, once', async () => {
    const index = open()
    await index.put('c', alices)
    await index.addTitle({ id: 'c', ...alices }, 'first')
    await index.addTitle({ id: 'c', ...alices }, 'second')
    expect(await index.list()).toMatchObject([{ summary: { title: 'first' } }])
  })

  test('has nothing of a conversation while it is deleted, and has it again where the deletion fails', async () => {
    const index = open()
    await index.put('c', alices)
    const removed = index.remove('c', async () => {
      expect([await index.find('c'), await index.list()]).toEqual([undefined, []])
      throw new Error('disk full')
    })
    await expect(removed).rejects.toThrow('disk full')
    expect(await index.find('c')).toEqual(alices)
  })

  test('keeps an entry that was put under the id of a conversation while it is deleted', async () => {
    const index = open()
    await index.put('c', alices)
    await index.remove('c', () => index.put('c', { owner: 'bob', createdAt: 2 }))
    expect(await index.find('c')).toMatchObject({ owner: 'bob' })
  })
})

test('a conversation of a terminal is listed under its first message, and is no server’s', async () => {
  const store = memoryStore()
  await createAgent({ model: scriptedModel(['Hi.']), store })
    .conversation('theirs')
    .send('from a terminal')
  const index = new ConversationIndex(store)
  expect(await index.list()).toMatchObject([
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
