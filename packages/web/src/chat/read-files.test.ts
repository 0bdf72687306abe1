import { expect, test } from 'vitest'
import { readFiles } from './read-files.ts'

test('files that are too large together are refused before they are read', async () => {
  const file = (kB: number) => new File([new Uint8Array(kB * 1000)], 'a.bin')
  await expect(readFiles([file(400), file(301)])).rejects.toThrow(
    'Files up to 700 kB in all can be attached; these have 701 kB.',
  )
})
