import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KeyPress } from './key-press.ts'
import { KeyReader } from './key-reader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function reading(): { reader: KeyReader; keys: KeyPress[]; names(): string[] } {
  const keys: KeyPress[] = []
  return { reader: new KeyReader(key => keys.push(key)), keys, names: () => keys.map(({ name }) => name) }
}

test.each([
  { chunk: '\x1b\x1b', keys: ['escape', 'escape'] },
  { chunk: '\x1b\x1b[A', keys: ['escape', 'up'] },
  { chunk: '\x1b[A\x1b[B', keys: ['up', 'down'] },
  { chunk: 'hi\r', keys: ['text', 'enter'] },
  { chunk: '\x1b\r', keys: ['alt-enter'] },
  { chunk: '\n', keys: ['newline'] },
  { chunk: '\x03\x03', keys: ['ctrl', 'ctrl'] },
  { chunk: '\x1b[200~a\r\nb\x1b[201~\r', keys: ['paste', 'enter'] },
  { chunk: '\x1b[99;9X', keys: ['unknown'] },
])('$chunk is $keys, at once', ({ chunk, keys }) => {
  const { reader, names } = reading()
  reader.read(chunk)
  expect(names()).toEqual(keys)
})

test.each([
  { chunks: ['\x1b', '[A'], keys: ['up'] },
  { chunks: ['\x1b[', 'B'], keys: ['down'] },
  { chunks: ['\x1b', '[', '1;5', 'C'], keys: ['word-right'] },
  { chunks: ['\x1b', '\r'], keys: ['alt-enter'] },
  { chunks: ['\x1bO', 'A'], keys: ['up'] },
  { chunks: ['\x1b', '\x1b'], keys: ['escape', 'escape'] },
  { chunks: ['\x1b', 'x'], keys: ['escape', 'text'] },
  { chunks: ['\x1b[200~one ', 'two\x1b[20', '1~'], keys: ['paste'] },
  { chunks: ['\x1b[20', '0~one\x1b[201~'], keys: ['paste'] },
])('$chunks in chunks is $keys', ({ chunks, keys }) => {
  const { reader, names } = reading()
  for (const chunk of chunks) reader.read(chunk)
  expect(names()).toEqual(keys)
})

test.each([
  { chunk: '\x1b', keys: ['escape'] },
  { chunk: '\x1b[', keys: ['escape', 'text'] },
])('$chunk with nothing behind it is $keys after a moment', ({ chunk, keys }) => {
  const { reader, names } = reading()
  reader.read(chunk)
  expect(names()).toEqual([])
  vi.runAllTimers()
  expect(names()).toEqual(keys)
})

test('a paste in two chunks is one', () => {
  const { reader, keys } = reading()
  reader.read('\x1b[200~one ')
  reader.read('two\x1b[201~')
  expect(keys).toEqual([{ name: 'paste', text: 'one two' }])
})
