import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('JSON of a hundred levels is read, one of more is refused before it is parsed', () => {
  expect(parseJson(nested(100))).toBeInstanceOf(Array)
  expect(() => parseJson(nested(101))).toThrow('nested deeper than 100 levels')
  expect(() => parseJson('['.repeat(1_000_000))).toThrow('nested deeper')
})

test('brackets and quotes inside a string are no nesting', () => {
  const text = `${'['.repeat(200)}"\\`
  expect(parseJson(JSON.stringify({ text }))).toEqual({ text })
})

test.each(['', '{', '{"a":1,}', 'undefined'])('%j is refused with body.invalid', text => {
  expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'body.invalid' }))
})
