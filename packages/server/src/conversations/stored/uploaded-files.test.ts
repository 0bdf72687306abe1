import { KeptFiles, memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { UploadedFiles } from './uploaded-files.ts'

const bytes = new Uint8Array([1, 2, 3])
const day = 24 * 60 * 60 * 1000

test('an uploaded file that nobody used within a day is deleted; one that a conversation has stays', async () => {
  const store = memoryStore()
  const kept = new KeptFiles(store)
  const old = { by: 'ann', mediaType: 'image/png', size: 3, createdAt: Date.now() - day - 1 }
  await kept.put({ ...old, id: 'unused' }, 'AQID')
  await kept.put({ ...old, id: 'used', conversation: 'c' }, 'AQID')
  const files = new UploadedFiles(store)
  const { id } = await files.upload('ann', { bytes, mediaType: 'image/png' })
  files.beginSweeping()
  files.endSweeping()
  await expect.poll(async () => (await store.entries('files')).map(([key]) => key).sort()).toEqual([id, 'used'].sort())
})

test('an attachment becomes the conversation’s with the first message, and nobody else’s after that', async () => {
  const files = new UploadedFiles(memoryStore())
  const uploaded = await files.upload('ann', { bytes, mediaType: 'image/png', name: 'a.png' })
  const missing = { code: 'file.missing' }
  await expect(files.attach('bob', 'c', [uploaded])).rejects.toMatchObject(missing)
  const part = { mediaType: 'image/png', name: 'a.png', data: `turnbuckle-file:${uploaded.id}` }
  expect(await files.attach('ann', 'c', [uploaded])).toEqual([part])
  expect(await files.attach('bob', 'c', [uploaded])).toEqual([part])
  await expect(files.attach('ann', 'other', [uploaded])).rejects.toMatchObject(missing)
})
