import { type Grant, memoryPermissions } from 'turnbuckle/middleware'
import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { indexSpace } from './conversation-owner.ts'
import { storedPermissions } from './stored-permissions.ts'

const grant = (id: string, more: object = {}): Grant =>
  ({ id, tool: 'add', decision: 'allow', scope: 'always', ...more }) as unknown as Grant

async function withOwner(owner: string) {
  const store = memoryStore()
  await store.set(indexSpace, 'c', { owner, createdAt: 1 })
  return storedPermissions(store)
}

test('a choice made in a conversation is its owner’s, and no other person’s', async () => {
  const permissions = await withOwner('alice')
  await permissions.storeFor({ id: 'c' }).add(grant('g'))
  expect(await permissions.list('alice')).toMatchObject([{ id: 'g' }])
  expect(await permissions.list('bob')).toEqual([])
})

test('a choice is revoked once; one that is not there is not revoked', async () => {
  const permissions = await withOwner('alice')
  await permissions.storeFor({ id: 'c' }).add(grant('g'))
  const revoked = [
    await permissions.revoke('bob', 'g'),
    await permissions.revoke('alice', 'g'),
    await permissions.revoke('alice', 'g'),
  ]
  expect(revoked).toEqual([false, true, false])
})

test('a choice with a number of uses is used up', async () => {
  const store = (await withOwner('alice')).storeFor({ id: 'c' })
  await store.add(grant('g', { usesLeft: 1 }))
  expect([await store.use('g'), await store.use('g'), await store.use('h')]).toEqual([true, false, false])
})

test('the choices of a terminal’s person are kept where the chat keeps them, and those of others are not', async () => {
  const [store, mine] = [memoryStore(), memoryPermissions()]
  await store.set(indexSpace, 'c', { owner: 'bob', createdAt: 1 })
  const permissions = storedPermissions(store, mine)
  await permissions.storeFor({ id: 'own' }).add(grant('g', { usesLeft: 1 }))
  await permissions.storeFor({ id: 'c' }).add(grant('h'))
  expect([await mine.list(), await permissions.list('me')]).toMatchObject([[{ id: 'g' }], [{ id: 'g' }]])
  expect(await permissions.list('bob')).toMatchObject([{ id: 'h' }])
  expect(await permissions.storeFor({ id: 'own' }).use('g')).toBe(true)
  expect([await permissions.revoke('bob', 'g'), await permissions.revoke('bob', 'h')]).toEqual([false, true])
  expect(await store.entries('permissions.me')).toEqual([])
})
