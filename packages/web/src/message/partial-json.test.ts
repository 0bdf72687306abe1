import { expect, test } from 'vitest'
import { partialJson } from './partial-json.ts'

test.each([
  ['', {}],
  ['{', {}],
  ['{"a', {}],
  ['{"a":', {}],
  ['{"a": 1', { a: 1 }],
  ['{"a": 1, "b', { a: 1 }],
  ['{"a": tr', {}],
  ['{"a": "x', { a: 'x' }],
  ['{"a": "x\\', { a: 'x' }],
  ['{"a": "x\\\\', { a: 'x\\' }],
  ['{"a": "x\\u00e', { a: 'x' }],
  ['{"a": "{[", "b": [1, {"c": "d', { a: '{[', b: [1, { c: 'd' }] }],
  ['{"a": [1, 2], "b": {"c', { a: [1, 2], b: {} }],
  ['{"a": 1}', { a: 1 }],
  ['no JSON', {}],
])('of %j one can read %j', (text, value) => {
  expect(partialJson(text)).toEqual(value)
})

test('every beginning of a text can be read, and never more than is there', () => {
  const text = JSON.stringify({ path: 'src/a "b".ts', edits: [{ old: 'x\n', new: '\u2028\\' }, null, true, -1.5e3] })
  for (let i = 0; i <= text.length; i++) expect(partialJson(text.slice(0, i))).toBeTypeOf('object')
  expect(partialJson(text)).toEqual(JSON.parse(text))
})
