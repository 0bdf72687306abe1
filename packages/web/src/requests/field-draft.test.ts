import { expect, test } from 'vitest'
import { type FieldDraft, initialDraft, ownAnswer, readDraft } from './field-draft.ts'
import { type Field, schemaFields } from './schema-fields.ts'

const fieldOf = (schema: object, required = true): Field => {
  const [field] = schemaFields({ schema: { properties: { it: schema }, required: required ? ['it'] : [] } })
  return field as Field
}

/** The value of a field's draft, or its problems. */
function answer(schema: object, draft: FieldDraft, required = true) {
  const problems = new Map<string, string>()
  const value = readDraft(fieldOf(schema, required), draft, 'it', problems)
  return problems.size ? Object.fromEntries(problems) : { value }
}

test.each([
  { name: 'nothing where something is needed', schema: { type: 'string' }, draft: ' ', says: 'This is needed.' },
  { name: 'too short', schema: { type: 'string', minLength: 3 }, draft: 'ab', says: 'At least 3 characters.' },
  { name: 'too long', schema: { type: 'string', maxLength: 3 }, draft: 'abcd', says: 'At most 3 characters.' },
  { name: 'another form', schema: { type: 'string', pattern: '^\\d+$' }, draft: 'a', says: /form that is asked for/ },
  { name: 'no address', schema: { type: 'string', format: 'email' }, draft: 'me', says: /e-mail/ },
  { name: 'no link', schema: { type: 'string', format: 'uri' }, draft: 'here', says: /https/ },
  { name: 'no number', schema: { type: 'number' }, draft: 'many', says: 'A number is needed.' },
  { name: 'half', schema: { type: 'integer' }, draft: '1.5', says: 'A whole number is needed.' },
  { name: 'too little', schema: { type: 'number', minimum: 2 }, draft: '1', says: 'At least 2.' },
  { name: 'too much', schema: { type: 'number', maximum: 2 }, draft: '3', says: 'At most 2.' },
  { name: 'too few', schema: { type: 'array', items: { enum: [1, 2] }, minItems: 1 }, draft: [], says: /At least one/ },
  {
    name: 'too many',
    schema: { type: 'array', items: { enum: [1, 2] }, maxItems: 1 },
    draft: [0, 1],
    says: 'No more than 1.',
  },
  { name: 'no JSON', schema: {}, draft: '{', says: 'That is not valid JSON yet.' },
])('what is wrong is said: $name', ({ schema, draft, says }) => {
  expect(answer(schema, draft)).toEqual({ it: says instanceof RegExp ? expect.stringMatching(says) : says })
})

const crew = {
  type: 'array',
  items: {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  },
}

test.each([
  { name: 'text as it is', schema: { type: 'string' }, draft: 'ab', value: 'ab' },
  { name: 'a number', schema: { type: 'number' }, draft: '1.5', value: 1.5 },
  { name: 'a choice with its type', schema: { enum: [1, 2] }, draft: '1', value: 2 },
  {
    name: 'several choices',
    schema: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    draft: [0, 2],
    value: ['a', 'c'],
  },
  { name: 'no choice', schema: { type: 'array', items: { enum: ['a'] } }, draft: [], value: [] },
  { name: 'a list of groups', schema: crew, draft: [{ name: 'Ada', age: '' }], value: [{ name: 'Ada' }] },
  { name: 'any JSON', schema: {}, draft: '[1]', value: [1] },
])('what is right is answered: $name', ({ schema, draft, value }) => {
  expect(answer(schema, draft)).toEqual({ value })
})

test('a problem inside of a list of groups is said where it is', () => {
  const drafts = [
    { name: 'Ada', age: '36' },
    { name: '', age: 'old' },
  ]
  expect(answer(crew, drafts)).toEqual({ 'it.1.name': 'This is needed.', 'it.1.age': 'A number is needed.' })
})

test.each([
  { schema: { type: 'string' } },
  { schema: { type: 'integer' } },
  { schema: { enum: [1] } },
  { schema: { type: 'array', items: { type: 'string' } } },
  { schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
  { schema: {} },
])('what is not needed and not touched is left out: $schema', ({ schema }) => {
  expect(answer(schema, initialDraft(fieldOf(schema, false)), false)).toEqual({ value: undefined })
})

test.each([
  { schema: { type: 'string', default: 'x' } },
  { schema: { type: 'integer', default: 3 } },
  { schema: { type: 'boolean', default: true } },
  { schema: { enum: [1, 2], default: 2 } },
  { schema: { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] } },
  { schema: { type: 'array', items: { type: 'string' }, default: ['x', 'y'] } },
  { schema: { ...crew, default: [{ name: 'Ada', age: 36 }] } },
])('a form begins with the default: $schema', ({ schema }) => {
  expect(answer(schema, initialDraft(fieldOf(schema)))).toEqual({ value: schema.default })
})

test('options are a choice, and any other words are an answer too', () => {
  const [field] = schemaFields({ question: 'By day?', options: ['yes', 'no'] })
  const answered = (draft: FieldDraft) => readDraft(field as Field, draft, 'text', new Map())
  expect([answered('1'), answered(ownAnswer('42')), answered(ownAnswer(' '))]).toEqual(['no', '42', undefined])
})
