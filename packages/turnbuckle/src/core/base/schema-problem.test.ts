import { expect, test } from 'vitest'
import { schemaProblem } from './schema-problem.ts'

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
  },
  required: ['name'],
  additionalProperties: false,
}

test.each([
  { schema: person, value: { name: 'Ada', tags: ['a'] }, problem: undefined },
  { schema: person, value: { name: 'Ada', tags: undefined, more: undefined }, problem: undefined },
  { schema: person, value: [], problem: 'expected object.' },
  { schema: person, value: {}, problem: 'name is missing.' },
  { schema: person, value: { name: 'A' }, problem: 'name: expected text as long as 2.' },
  { schema: person, value: { name: 'Ada', tags: ['c'] }, problem: 'tags.0: expected "a" or "b".' },
  { schema: person, value: { name: 'Ada', tags: ['a', 'b', 'a'] }, problem: 'tags: expected a list no longer than 2.' },
  { schema: person, value: { name: 'Ada', age: 3 }, problem: 'There is no field "age". Fields: name, tags.' },
  {
    schema: person,
    value: JSON.parse('{"name":"Ada","__proto__":1}'),
    problem: 'There is no field "__proto__". Fields: name, tags.',
  },
  { schema: { type: ['string', 'null'] }, value: null, problem: undefined },
  { schema: { type: 'integer', minimum: 1, exclusiveMaximum: 3 }, value: 3, problem: 'expected less than 3.' },
  { schema: { type: 'number' }, value: Number.NaN, problem: 'expected number.' },
  { schema: { enum: [{ a: 1 }, null] }, value: { a: 1 }, problem: undefined },
  {
    schema: { properties: {}, patternProperties: { '^x-': {} }, additionalProperties: false },
    value: { 'x-a': 1 },
    problem: undefined,
  },
  { schema: { const: 1 }, value: 2, problem: 'expected 1.' },
  { schema: { anyOf: [{ type: 'string' }, { type: 'number' }] }, value: 1, problem: undefined },
  {
    schema: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    value: [],
    problem: 'expected string. Or: expected number.',
  },
  { schema: { type: 'colour', format: 'email' }, value: 'anything', problem: undefined },
])('$value in $schema: $problem', ({ schema, value, problem }) => {
  expect(schemaProblem(schema, value)).toBe(problem)
})
