import { expect, test } from 'vitest'
import { fileAnswer } from './file-answer.ts'

const file = { id: 'f', by: 'ann', size: 1, createdAt: 1 }

test.each([
  { mediaType: 'image/png', is: 'image/png' },
  { mediaType: 'image/svg+xml', is: 'application/octet-stream' },
  { mediaType: 'text/html', is: 'application/octet-stream' },
  { mediaType: 'application/pdf', is: 'application/octet-stream' },
])('$mediaType is sent as $is', ({ mediaType, is }) => {
  const { headers } = fileAnswer({ ...file, mediaType }, new Uint8Array(1))
  expect(headers['content-type']).toBe(is)
})

test('a name of any letters stands in the header, and ends nothing there', () => {
  const { headers } = fileAnswer({ ...file, mediaType: 'image/png', name: 'ü"\r\n(\').png' }, new Uint8Array(1))
  expect(headers['content-disposition']).toBe("attachment; filename*=UTF-8''%C3%BC%22%0D%0A%28%27%29.png")
})
