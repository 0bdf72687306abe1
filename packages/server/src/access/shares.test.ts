import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { Shares } from './shares.ts'

const conversation = { id: 'c', owner: 'ada' }
const shared = { conversationId: 'c', person: 'bob', access: 'read' } as const

test('a conversation is its owner’s, and there for those it is shared with', async () => {
  const shares = new Shares(undefined)
  expect(shares.accessOf('ada', conversation)).toBe('own')
  expect(shares.accessOf('bob', conversation)).toBeUndefined()
  await shares.set(shared)
  expect(shares.accessOf('bob', conversation)).toBe('read')
})

test('another server on the store hears of shares with its next refresh', async () => {
  const store = memoryStore()
  const [one, other] = [new Shares(store), new Shares(store)]
  await one.set(shared)
  await other.refresh()
  expect(other.accessOf('bob', conversation)).toBe('read')
  expect(await one.remove('c', 'bob')).toBe(true)
  expect(await one.remove('c', 'bob')).toBe(false)
  await other.refresh()
  expect(other.accessOf('bob', conversation)).toBeUndefined()
})

test('a deleted conversation is shared with nobody', async () => {
  const shares = new Shares(memoryStore())
  await shares.set(shared)
  await shares.forget('c')
  expect(shares.of('c').size).toBe(0)
})
