import { expect, test } from 'vitest'
import { readJsonc } from './read-jsonc.ts'

test('comments, trailing commas and a byte order mark are fine', () => {
  const text = '\uFEFF{ // one\n "a": [1, true, null,], /* two */ "b": "x\\n", }'
  expect(readJsonc(text, 'f').value).toEqual({ a: [1, true, null], b: 'x\n' })
})

test('the line of a key, or of the nearest one around it', () => {
  const { line } = readJsonc('{\n"a": {\n"b": [1,\n2] } }', 'f')
  expect(line(['a'])).toBe(2)
  expect(line(['a', 'b', '1'])).toBe(4)
  expect(line(['a', 'c'])).toBe(2)
  expect(line(['c'])).toBeUndefined()
})

test.each([
  { text: '{', says: 'f:1: expected a key in double quotes, found the end.' },
  { text: '{ a: 1 }', says: 'f:1: expected a key in double quotes, found "a".' },
  { text: '{ "a" 1 }', says: 'f:1: expected ":" after the key, found "1".' },
  { text: '{\n"a": 1 "b": 2 }', says: 'f:2: expected "," or "}", found "\\"".' },
  { text: '{ "a": oops }', says: 'f:1: expected a value, found "o".' },
  { text: '{} {}', says: 'f:1: expected nothing after the closing bracket, found "{".' },
  { text: '{ "a": 1,\n"a": 2 }', says: 'f:2: "a" is there twice.' },
])('$text: $says', ({ text, says }) => {
  expect(() => readJsonc(text, 'f')).toThrow(says)
})
