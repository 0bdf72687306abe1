import { expect, test } from 'vitest'
import { givePage } from '../../../test/conversation.ts'
import { useAppState } from '../../state/app-state.ts'
import { attachFiles, untilUploaded } from './upload-files.ts'

const files = () => useAppState.getState().draft.files
const text = (name: string) => new File(['words'], name, { type: 'text/plain' })

test('a file is uploaded at once, and has the id that the server gave it', async () => {
  givePage({}, { uploadFile: async (_, name) => ({ id: `id of ${name}` }) as never })
  attachFiles([text('a.txt')])
  expect(files()).toMatchObject([{ name: 'a.txt', mediaType: 'text/plain' }])
  await untilUploaded(files())
  expect(files()).toMatchObject([{ name: 'a.txt', id: 'id of a.txt' }])
})

test('a file that the server refuses stays, with the reason', async () => {
  givePage({}, { uploadFile: () => Promise.reject(new Error('Full.')) })
  attachFiles([text('a.txt')])
  await untilUploaded(files())
  expect(files()).toMatchObject([{ name: 'a.txt', problem: 'Full.' }])
})

test('a message has at most twenty files', async () => {
  givePage({}, { uploadFile: async () => ({ id: 'f' }) as never })
  attachFiles(Array.from({ length: 22 }, (_, i) => text(`${i}.txt`)))
  expect(files()).toHaveLength(20)
  expect(useAppState.getState().notice?.text).toBe('A message has at most 20 files.')
  await untilUploaded(files())
})
