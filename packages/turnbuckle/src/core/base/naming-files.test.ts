import { expect, test } from 'vitest'
import { namingFiles } from './naming-files.ts'

const data = new Uint8Array(3)

test('a file is written as its name, or as its media type where it has none', () => {
  const content = [
    { type: 'file', mediaType: 'image/png', data, name: 'cat.png' },
    { type: 'file', mediaType: 'image/png', data },
  ]
  expect(JSON.stringify({ content }, namingFiles)).toBe('{"content":["[cat.png]","[image/png]"]}')
})

test('all else is written as it is', () => {
  const value = { type: 'file', list: [1, 'a', null] }
  expect(JSON.stringify(value, namingFiles)).toBe(JSON.stringify(value))
})
