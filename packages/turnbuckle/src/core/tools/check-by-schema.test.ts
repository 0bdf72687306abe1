import { createAgent, type SchemaCheck, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ran: unknown[] = []
const weather = tool<{ city: string }>({
  name: 'weather',
  schema,
  run: args => {
    ran.push(structuredClone(args))
    args.city = 'elsewhere'
    return 'Sunny'
  },
})

async function call(args: unknown, schemaCheck?: SchemaCheck) {
  const model = scriptedModel([{ calls: [{ name: 'weather', args }] }, 'Done'])
  const agent = createAgent({ model, tools: [weather], ...(schemaCheck ? { schemaCheck } : {}) })
  const { messages } = await agent.send('Go').settled
  return resultsOf(messages)[0]
}

test.each([
  { args: {}, problem: 'city is missing.' },
  { args: [], problem: 'expected object.' },
  { args: { city: 3 }, problem: 'city: expected string.' },
])('a tool with JSON Schema only does not run with $args', async ({ args, problem }) => {
  ran.length = 0
  expect(await call(args)).toMatchObject({ status: 'error', value: expect.stringContaining(problem) })
  expect(ran).toEqual([])
})

test('arguments that fit reach the tool as a copy of its own', async () => {
  ran.length = 0
  expect(await call({ city: 'Oslo', more: 1 })).toMatchObject({ status: 'ok', value: 'Sunny' })
  expect(ran).toEqual([{ city: 'Oslo', more: 1 }])
})

test('an agent may have another check', async () => {
  const seen: unknown[] = []
  const check: SchemaCheck = (by, value) => {
    seen.push(by, value)
    return 'No cities today.'
  }
  expect(await call({ city: 'Oslo' }, check)).toMatchObject({
    status: 'error',
    value: expect.stringContaining('No cities today.'),
  })
  expect(seen).toEqual([schema, { city: 'Oslo' }])
})
