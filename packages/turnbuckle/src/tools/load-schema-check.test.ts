import { loadSchemaCheck } from 'turnbuckle/tools'
import { expect, test } from 'vitest'

const check = await loadSchemaCheck()
const itself: object = { $ref: '#' }

test.each([
  { schema: { type: 'string', pattern: '^a' }, value: 'b', problem: 'String does not match pattern.' },
  { schema: { type: 'string', pattern: '^a' }, value: 'a', problem: undefined },
  {
    schema: { properties: { to: { $ref: '#/$defs/place' } }, $defs: { place: { required: ['lat'] } } },
    value: { to: {} },
    problem: 'to: Instance does not have required property "lat".',
  },
  { schema: { not: { required: ['a'] } }, value: { a: 1 }, problem: 'Instance matched "not" schema.' },
  { schema: { allOf: [{ minimum: 3 }] }, value: 2, problem: '2 is less than 3.' },
  {
    schema: { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
    value: [1],
    problem: '0: Instance type "number" is invalid. Expected "string".',
  },
  { schema: { type: 'object' }, value: [], problem: 'Instance type "array" is invalid. Expected "object".' },
])('$value in $schema: $problem', ({ schema, value, problem }) => {
  expect(check(schema, value)).toBe(problem)
})

test.each([
  { name: 'a pattern that is no regular expression', schema: { type: 'string', pattern: '(?P<a>' } },
  { name: 'a reference to nowhere', schema: { type: 'string', $ref: 'https://a.example/none' } },
  { name: 'a reference to itself', schema: { ...itself, type: 'string' } },
])('$name leaves the words that can be checked', ({ schema }) => {
  expect(check(schema, 1)).toMatch(/expected "?string/i)
  expect(check(schema, 'x')).toBeUndefined()
})

test('the schema stays as it was, for the model', () => {
  const schema = { $id: 'https://a.example/s', properties: { a: { type: 'string' } } }
  const before = JSON.stringify(schema)
  check(schema, { a: 1 })
  expect(JSON.stringify(schema)).toBe(before)
})
