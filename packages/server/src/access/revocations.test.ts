import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { lastRevocation, noteRevocation } from './revocations.ts'

test('each revocation of a person has another name, and is nobody else’s', async () => {
  const store = memoryStore()
  const bobs = [await lastRevocation(store, 'bob')]
  for (let i = 0; i < 2; i++) {
    await noteRevocation(store, 'bob')
    bobs.push(await lastRevocation(store, 'bob'))
  }
  expect(bobs[0]).toBeUndefined()
  expect(new Set(bobs).size).toBe(3)
  expect(await lastRevocation(store, 'ada')).toBeUndefined()
})
