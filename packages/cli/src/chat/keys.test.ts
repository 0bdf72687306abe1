import { expect, test } from 'vitest'
import { KeyReader } from './keys.ts'

test.each([
  { chunk: '\x1b', keys: ['escape'] },
  { chunk: '\x1b\x1b', keys: ['escape', 'escape'] },
  { chunk: '\x1b\x1b[A', keys: ['escape', 'up'] },
  { chunk: 'hi\r', keys: ['text', 'enter'] },
  { chunk: '\x1b\r', keys: ['alt-enter'] },
  { chunk: '\n', keys: ['newline'] },
  { chunk: '\x03\x03', keys: ['ctrl', 'ctrl'] },
  { chunk: '\x1b[200~a\r\nb\x1b[201~\r', keys: ['paste', 'enter'] },
  { chunk: '\x1b[99;9X', keys: ['unknown'] },
])('$chunk is $keys', ({ chunk, keys }) => {
  expect(new KeyReader().read(chunk).map(({ name }) => name)).toEqual(keys)
})

test('a paste in two chunks is one', () => {
  const reader = new KeyReader()
  expect(reader.read('\x1b[200~one ')).toEqual([])
  expect(reader.read('two\x1b[201~')).toEqual([{ name: 'paste', text: 'one two' }])
})
