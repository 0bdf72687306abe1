import { DynamicTool, tool } from '@langchain/core/tools'
import { createAgent } from 'turnbuckle'
import { type LangChainTool, langChainTools } from 'turnbuckle/langchain'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

async function call(given: LangChainTool, args: unknown) {
  const model = scriptedModel([{ calls: [{ name: given.name, args }] }, 'Done.'])
  const { messages } = await createAgent({ model, tools: langChainTools([given]) }).send('Go.')
  const results = messages.flatMap(({ content }) => content.flatMap(part => (part.type === 'result' ? [part] : [])))
  return { result: results[0], schema: model.prompts[0]?.tools[0]?.schema }
}
const json = { type: 'object' as const, properties: { a: { type: 'number' as const } }, required: ['a'] }

test.each<{ what: string; given: LangChainTool; args: object; value: unknown; wrong: object }>([
  {
    what: 'a zod schema',
    given: tool(({ a, b }) => a + b, { name: 'add', schema: z.object({ a: z.number(), b: z.number().default(3) }) }),
    args: { a: 2 },
    value: 5,
    wrong: { a: 'two' },
  },
  {
    what: 'a JSON Schema',
    given: tool(input => input, { name: 'echo', schema: json }),
    args: { a: 1 },
    value: { a: 1 },
    wrong: {},
  },
  {
    what: 'one text',
    given: new DynamicTool({ name: 'shout', description: 'Shouts.', func: async text => text.toUpperCase() }),
    args: { input: 'hi' },
    value: 'HI',
    wrong: {},
  },
  {
    what: 'an artifact',
    given: tool(() => ['Said.', { kept: true }], {
      name: 'say',
      schema: z.object({ a: z.number() }),
      responseFormat: 'content_and_artifact',
    }),
    args: { a: 1 },
    value: 'Said.',
    wrong: {},
  },
])('a tool of LangChain with $what runs unchanged', async ({ given, args, value, wrong }) => {
  const { result, schema } = await call(given, args)
  expect(result).toMatchObject({ status: 'ok', value })
  expect(schema).toMatchObject({ type: 'object' })
  expect((await call(given, wrong)).result).toMatchObject({ status: 'error' })
})

test('an interrupt reaches the tool', async () => {
  let signal: AbortSignal | undefined
  const waiting = tool(
    (_input, config: { signal?: AbortSignal }) => {
      signal = config.signal
      turn.interrupt()
      return new Promise<string>(() => {})
    },
    { name: 'wait', schema: z.object({}) },
  )
  const model = scriptedModel([{ calls: [{ name: 'wait', args: {} }] }])
  const turn = createAgent({ model, tools: langChainTools([waiting]) }).send('Go.')
  expect((await turn).status).toBe('interrupted')
  expect(signal?.aborted).toBe(true)
})

test('a tool of LangChain in the list of an agent is refused with the function to use', () => {
  const given = tool(() => '', { name: 'wait', schema: z.object({}) })
  expect(() => createAgent({ model: scriptedModel([]), tools: [given as never] })).toThrow('langChainTools([ … ])')
})
