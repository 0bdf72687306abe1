import { expect, test } from 'vitest'
import { requestQuestion } from './request-question.ts'

const asked = (payload: object) =>
  requestQuestion({ type: 'request.opened', requestId: 'r1', kind: 'permission', payload } as unknown as Parameters<
    typeof requestQuestion
  >[0])

test.each([
  { what: 'a character that turns the text around', diff: '+a \u202eb', shown: '+a \\u202eb' },
  { what: 'an escape sequence', diff: '-\x1b[8mhidden', shown: '-\\u001b[8mhidden' },
  { what: 'a return that would write over the line', diff: '+safe\revil', shown: '+safe\\u000devil' },
  { what: 'what every file has', diff: '@@ line 1 @@\r\n+\tx', shown: '@@ line 1 @@\n+  x' },
])('the diff that is approved shows $what', ({ diff, shown }) => {
  expect(asked({ name: 'write_file', args: {}, diff }).diff).toBe(shown)
})

test('a permission says whom it asks and how a vote stands', () => {
  const event = {
    type: 'request.opened',
    requestId: 'r1',
    kind: 'permission',
    payload: { name: 'pay', args: {}, quorum: { needed: 2, given: 1 } },
    to: ['lead', '*'],
    voted: ['b\u202eob'],
  } as unknown as Parameters<typeof requestQuestion>[0]
  expect(requestQuestion(event).title).toBe('May pay run? Asked of lead. 2 people must say yes; so far: b\\u202eob.')
})

test('a permission says who has passed it on, and to whom it can go on', () => {
  const question = asked({ name: 'pay', args: {}, from: 'b\u202eob', delegates: ['cfo'] })
  expect(question).toMatchObject({ title: 'May pay run? Passed on by b\\u202eob.', delegates: ['cfo'] })
})

test('a permission says when and to whom it goes on if nobody answers', () => {
  const event = {
    type: 'request.opened',
    requestId: 'r1',
    kind: 'permission',
    payload: { name: 'pay', args: {}, next: 'lead' },
    to: ['bob'],
    deadline: 60_000,
  } as unknown as Parameters<typeof requestQuestion>[0]
  const when = new Date(60_000).toLocaleString()
  expect(requestQuestion(event).title).toBe(`May pay run? Asked of bob. If nobody answers by ${when}, lead is asked.`)
})

test.each([
  {
    what: 'one field of text is answered in words',
    properties: { name: { type: 'string' } },
    field: 'name',
    body: 'it asks: Who?\n  · name (string)',
  },
  {
    what: 'several fields as JSON',
    properties: { name: { type: 'string' }, age: { type: 'integer', description: 'in years' } },
    field: '',
    body: 'it asks: Who?\n  · name (string)\n  · age (integer, may be left out) in years\nAnswer as JSON: { "field": value }',
  },
  {
    what: 'a form without fields with anything',
    properties: {},
    field: '',
    body: 'it asks: Who?\nWrite anything to accept; Esc leaves it.',
  },
])('of a question of an MCP server, $what', ({ properties, field, body }) => {
  const payload = { question: 'it asks: Who?', schema: { type: 'object', properties, required: ['name'] } }
  const event = { type: 'request.opened', requestId: 'r1', kind: 'elicitation', payload } as unknown as Parameters<
    typeof requestQuestion
  >[0]
  expect(requestQuestion(event)).toMatchObject({ kind: 'text', title: 'A server asks', field, body })
})
