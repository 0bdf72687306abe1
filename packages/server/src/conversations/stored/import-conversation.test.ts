import { memoryStore } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { importConversation } from './import-conversation.ts'
import { UploadedFiles } from './uploaded-files.ts'

const fileOf = (data: string) =>
  JSON.stringify({
    format: 'turnbuckle',
    version: 1,
    id: 'x',
    nodes: [
      { id: 'm', at: 1, message: { id: 'm', role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] } },
    ],
  })

test.each([
  { what: 'a small file stays in its message', data: 'AAEC', kept: 0 },
  { what: 'a large one is kept beside the log', data: 'A'.repeat(80_000), kept: 1 },
])('$what', async ({ data, kept }) => {
  const store = memoryStore()
  const id = await importConversation(`\uFEFF${fileOf(data)}`, { store, files: new UploadedFiles(store), owner: 'ann' })
  const [part] = (await store.nodes(id))[0]?.message.content ?? []
  expect(part?.type === 'file' && part.data === data).toBe(kept === 0)
  expect(await store.entries('files')).toHaveLength(kept)
})

test('a server without a store says that it cannot import', async () => {
  const given = { store: undefined, files: new UploadedFiles(undefined), owner: 'ann' }
  await expect(importConversation('## User\n\nHi.', given)).rejects.toMatchObject({ code: 'store.missing' })
})
