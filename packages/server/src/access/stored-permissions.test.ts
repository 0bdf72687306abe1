import type { Grant } from 'turnbuckle/middleware'
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
