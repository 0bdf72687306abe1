import { expect, test } from 'vitest'
import { schemaFields } from './schema-fields.ts'

test.each([
  { schema: { type: 'string' }, is: { kind: 'text', type: 'text' } },
  { schema: { type: 'string', maxLength: 1000 }, is: { kind: 'text', type: 'long' } },
  { schema: { type: 'string', format: 'email' }, is: { kind: 'text', type: 'email' } },
  { schema: { type: ['string', 'null'] }, is: { kind: 'text' } },
  { schema: { anyOf: [{ type: 'integer' }, { type: 'null' }] }, is: { kind: 'number', whole: true } },
  { schema: { type: 'number', minimum: 1 }, is: { kind: 'number', whole: false, min: 1 } },
  { schema: { type: 'boolean' }, is: { kind: 'boolean' } },
  { schema: { enum: [1, 'two'] }, is: { kind: 'choice', choices: [{ label: '1', value: 1 }, { value: 'two' }] } },
  {
    schema: { oneOf: [{ const: 'r', title: 'Red' }, { const: 'b' }] },
    is: { kind: 'choice', choices: [{ label: 'Red', value: 'r' }, { label: 'b' }] },
  },
  { schema: { type: 'array', items: { enum: ['a'] }, minItems: 1 }, is: { kind: 'several', min: 1 } },
  { schema: { type: 'array', items: { type: 'string' }, maxItems: 2 }, is: { kind: 'list', max: 2 } },
  { schema: { type: 'array' }, is: { kind: 'json' } },
  {
    schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    is: { kind: 'group', fields: [{ name: 'a', kind: 'text', required: true }] },
  },
  { schema: { type: 'object' }, is: { kind: 'json' } },
  { schema: {}, is: { kind: 'json' } },
])('$schema is asked for as $is.kind', ({ schema, is }) => {
  const [field] = schemaFields({ schema: { properties: { it: schema } } })
  expect(field).toMatchObject(is)
})

test.each([
  { payload: undefined, is: { name: 'text', kind: 'text', type: 'long' } },
  { payload: { question: 'By day?', options: ['yes', 'no'] }, is: { name: 'text', kind: 'choice', other: true } },
])('a request without a schema has one field: $is.kind', ({ payload, is }) => {
  expect(schemaFields(payload)).toMatchObject([is])
})
