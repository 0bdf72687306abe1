import { createAgent, type ResultPart, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ValidateResultOptions, validateResult } from './validate-result.ts'

const schema = z.object({ celsius: z.number() })

test.each<{
  name: string
  value: unknown
  expected?: ValidateResultOptions['results'][string]
  status: string
  says?: RegExp
}>([
  { name: 'fits', value: { celsius: 20 }, status: 'ok' },
  {
    name: 'does not fit',
    value: { celsius: 'warm' },
    status: 'error',
    says: /^The result of weather is not usable\. celsius: /,
  },
  { name: 'a function agrees', value: 1, expected: () => undefined, status: 'ok' },
  { name: 'a function objects', value: 1, expected: async () => 'Too small.', status: 'error', says: /Too small\./ },
  {
    name: 'a function throws',
    value: 'secret',
    expected: () => {
      throw new Error('broken')
    },
    status: 'error',
    says: /broken/,
  },
])('a result that $name is $status', async ({ value, expected = schema, status, says }) => {
  const model = scriptedModel([{ calls: [{ name: 'weather' }] }, 'done'])
  const weather = tool({ name: 'weather', run: () => value })
  const use = [validateResult({ results: { weather: expected } })]
  const { messages } = await createAgent({ model, tools: [weather], use }).send('?').settled
  const result = messages[2]?.content[0] as ResultPart
  expect(result.status).toBe(status)
  if (says) expect(result.value).toMatch(says)
  else expect(result.value).toEqual(value)
})

test('other tools and failed calls are left alone', async () => {
  const model = scriptedModel([{ calls: [{ name: 'other' }, { name: 'weather' }] }, 'done'])
  const tools = [
    tool({ name: 'other', run: () => 'x' }),
    tool({
      name: 'weather',
      run: () => {
        throw new Error('no network')
      },
    }),
  ]
  const { messages } = await createAgent({
    model,
    tools,
    use: [validateResult({ results: { weather: schema } })],
  }).send('?')
  expect(messages.slice(2, 4).map(({ content }) => (content[0] as ResultPart).value)).toEqual(['x', 'no network'])
})
