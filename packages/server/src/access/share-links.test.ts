import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { ShareLinks } from './share-links.ts'

test('a token opens its own link and no other, and the store has only its hash', async () => {
  const store = memoryStore()
  const links = new ShareLinks(store)
  const [one, other] = [await links.make('c', 'ann', 'm'), await links.make('c', 'ann', undefined)]
  expect(await links.find(one.id, one.token)).toMatchObject({ what: 'branch', messageId: 'm', conversationId: 'c' })
  expect(await links.find(one.id, other.token)).toBeUndefined()
  expect(await links.find('none', one.token)).toBeUndefined()
  expect(JSON.stringify(await store.entries('server.shareLinks'))).not.toContain(one.token)
})

test('a link that another server on the store has revoked opens nothing', async () => {
  const store = memoryStore()
  const [here, there] = [new ShareLinks(store), new ShareLinks(store)]
  const { id, token } = await here.make('c', 'ann', undefined)
  expect(await there.revoke('other', id)).toBe(false)
  expect(await there.revoke('c', id)).toBe(true)
  expect(await here.find(id, token)).toBeUndefined()
})
