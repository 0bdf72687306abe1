import { dynamicTool, jsonSchema, tool, zodSchema } from 'ai'
import { createAgent, type Event } from 'turnbuckle'
import { aiSdkTools } from 'turnbuckle/ai-sdk'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const city = z.object({ city: z.string(), unit: z.enum(['C', 'F']).default('C') })
const asked = { city: 'Oslo' }

/** Runs one call of a tool of the AI SDK in an agent. */
async function call(tools: Parameters<typeof aiSdkTools>[0], args: unknown = asked) {
  const [name = ''] = Object.keys(tools)
  const model = scriptedModel([{ calls: [{ name, args, id: 'c1' }] }, 'Done.'])
  const turn = createAgent({ model, tools: aiSdkTools(tools) }).send('Weather?')
  const events: Event[] = []
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'request.opened') turn.answer(event.requestId, { decision: 'deny', reason: 'No.' })
  }
  const { messages } = await turn
  const results = messages.flatMap(({ content }) => content.flatMap(part => (part.type === 'result' ? [part] : [])))
  return { result: results[0], spec: model.prompts[0]?.tools[0], events }
}

test.each([
  { what: 'zod', inputSchema: city },
  { what: 'zodSchema', inputSchema: zodSchema(city) },
  {
    what: 'jsonSchema',
    inputSchema: jsonSchema<{ city: string; unit: string }>({
      type: 'object',
      properties: { city: { type: 'string' }, unit: { type: 'string' } },
      required: ['city'],
    }),
  },
])('a tool of the AI SDK with a schema by $what runs unchanged', async ({ inputSchema }) => {
  const weather = tool({
    description: 'The weather.',
    inputSchema: inputSchema as typeof city,
    execute: ({ city: of }, { toolCallId, messages, abortSignal }) => ({
      of,
      toolCallId,
      roles: messages.map(({ role }) => role),
      signal: abortSignal?.aborted,
    }),
  })
  const { result, spec } = await call({ weather })
  expect(spec).toMatchObject({ name: 'weather', description: 'The weather.', schema: { required: ['city'] } })
  expect(result).toMatchObject({
    status: 'ok',
    value: { of: 'Oslo', toolCallId: 'c1', roles: ['user'], signal: false },
  })
  expect((await call({ weather }, { city: 7 })).result).toMatchObject({ status: 'error' })
})

test('a dynamic tool runs; what streams tells of its progress; the model is told what the tool wants it to be', async () => {
  const echo = dynamicTool({ description: 'Echo.', inputSchema: z.object({}).loose(), execute: input => input })
  expect((await call({ echo })).result).toMatchObject({ status: 'ok', value: asked })
  const counting = tool({
    inputSchema: z.object({}),
    async *execute() {
      yield 'one'
      yield 'two'
    },
    toModelOutput: ({ output }) => ({ type: 'text', value: `It said ${output}.` }),
  })
  const { result, events } = await call({ counting }, {})
  expect(result).toMatchObject({ status: 'ok', value: 'It said two.' })
  expect(events.filter(({ type }) => type === 'tool.progress')).toMatchObject([{ callId: 'c1', output: 'one' }])
})

test('a tool that needs an approval asks a person', async () => {
  const pay = tool({ inputSchema: city, needsApproval: async ({ city: of }) => of === 'Oslo', execute: () => 'paid' })
  expect((await call({ pay })).result).toMatchObject({ status: 'denied' })
  expect((await call({ pay }, { city: 'Rome' })).result).toMatchObject({ status: 'ok', value: 'paid' })
})

test('a tool that the provider defines and `execute` runs is told by its id', async () => {
  const bash = { type: 'provider', id: 'anthropic.bash_20250124', args: {}, inputSchema: city, execute: () => 'ran' }
  const [made] = aiSdkTools({ bash })
  expect(made).toMatchObject({ name: 'bash', provider: { id: 'anthropic.bash_20250124', args: {} } })
  expect((await call({ bash }, { command: 'ls' })).result).toMatchObject({ status: 'ok', value: 'ran' })
  const sql = { type: 'provider', id: 'openai.custom', inputSchema: city, execute: (text: unknown) => `ran ${text}` }
  expect((await call({ sql }, { input: 'SELECT 1' })).result).toMatchObject({ value: 'ran SELECT 1' })
})

test.each([
  { what: 'of a provider', given: { type: 'provider', inputSchema: city }, says: 'providerTools' },
  { what: 'that nobody runs', given: { inputSchema: city }, says: 'no `execute`' },
])('a tool $what is an error that names the fix', ({ given, says }) => {
  expect(() => aiSdkTools({ weather: given })).toThrow(says)
})
