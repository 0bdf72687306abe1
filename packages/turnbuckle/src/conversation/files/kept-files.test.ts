import { KeptFiles, memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'

const file = { id: 'f1', by: 'ann', mediaType: 'image/png', name: 'map.png', size: 3, createdAt: 5 }

function shelf() {
  const store = memoryStore()
  return { store, files: new KeptFiles(store) }
}

test('a file of several pieces comes back whole', async () => {
  const { files } = shelf()
  const bytes = Buffer.alloc(2_000_001, 'turn')
  const big = { ...file, size: bytes.length }
  await files.put(big, bytes.toString('base64'))
  expect(Buffer.from(await files.data(big), 'base64').equals(bytes)).toBe(true)
})

test('only the conversation that has claimed a file reads it', async () => {
  const { files } = shelf()
  await files.put(file, 'AAEC')
  expect(await files.dataIn('c', 'f1')).toBeUndefined()
  await files.claim(file, 'c')
  expect(await files.dataIn('c', 'f1')).toBe('AAEC')
  expect(await files.dataIn('other', 'f1')).toBeUndefined()
  expect(await files.dataIn('c', 'none')).toBeUndefined()
})

test('a deleted conversation takes its files along, with all their pieces', async () => {
  const { files, store } = shelf()
  await files.put(file, 'AAEC')
  await files.claim(file, 'c')
  await files.put({ ...file, id: 'f2' }, 'AAEC')
  await files.eraseOf('c')
  expect((await store.entries('files')).map(([id]) => id)).toEqual(['f2'])
  expect((await store.entries('files.pieces')).map(([id]) => id)).toEqual(['f2 0'])
})

test('of the unused files the old ones are erased', async () => {
  const { files, store } = shelf()
  await files.put(file, 'AAEC')
  await files.put({ ...file, id: 'f2', createdAt: 20 }, 'AAEC')
  await files.put({ ...file, id: 'f3' }, 'AAEC')
  await files.claim({ ...file, id: 'f3' }, 'c')
  await files.eraseUnused(20)
  expect((await store.entries('files')).map(([id]) => id).sort()).toEqual(['f2', 'f3'])
})
