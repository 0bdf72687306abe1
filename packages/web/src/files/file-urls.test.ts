import { resolveObjectURL } from 'node:buffer'
import { expect, test } from 'vitest'
import { fileUrl, rememberFile } from './file-urls.ts'

test('a file is read once', async () => {
  let reads = 0
  const read = async () => {
    reads++
    return new Blob(['x'], { type: 'image/png' })
  }
  const first = await fileUrl('a', read)
  expect([await fileUrl('a', read), reads]).toEqual([first, 1])
})

test('a page among the files gets a type that no browser runs', () => {
  const url = rememberFile('page', new Blob(['<script>'], { type: 'text/html' }))
  expect(resolveObjectURL(url)?.type).toBe('application/octet-stream')
})

test('of very many files the oldest are let go of', () => {
  const url = rememberFile('first', new Blob(['x']))
  for (let i = 0; i < 200; i++) rememberFile(`more ${i}`, new Blob(['x']))
  expect(resolveObjectURL(url)).toBeUndefined()
})
