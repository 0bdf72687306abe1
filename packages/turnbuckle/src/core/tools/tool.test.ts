import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { block, createAgent, type Event, middleware, replace, skip, type Tool, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { resultsOf } from '../../../test/support/results-of.ts'

const look = tool({ name: 'look', run: () => 'seen' })
const looks = () => scriptedModel([{ text: 'Looking.', calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
/** The result of one call, and what the tool was told of. */
async function callOnce(made: Tool, args: unknown, name = made.name) {
  const model = scriptedModel([{ calls: [{ name, args, id: 'c1' }] }, 'Done'])
  const { messages, status } = await createAgent({ model, tools: [made] }).send('Go').settled
  const result = resultsOf(messages)[0]
  return { result, status, spec: model.prompts[0]?.tools[0] }
}

test('a tool that answers for a person: a result of any status', async () => {
  const gives = middleware({
    name: 'gives',
    beforeTool: () => skip({ status: 'denied', value: 'by policy' }),
    // @ts-expect-error a call that has run cannot be blocked
    afterTool: () => block('x'),
  })
  const turn = createAgent({ model: looks(), tools: [look], use: [gives] }).send('Go')
  expect((await turn).messages[2]?.content[0]).toMatchObject({ status: 'denied', value: 'by policy' })
})

describe('schemas', () => {
  const seen: unknown[] = []
  const run = (args: { city: string; days: number }) => {
    seen.push(args)
    return `${args.days} days in ${args.city}`
  }
  const libraries: readonly { library: string; made: () => Tool }[] = [
    {
      library: 'zod',
      made: () =>
        tool({ name: 'plan', input: z.object({ city: z.string().trim(), days: z.number().default(2) }), run }),
    },
    {
      library: 'valibot',
      made: () =>
        tool({
          name: 'plan',
          input: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 2) })),
          run,
        }),
    },
    {
      library: 'arktype',
      made: () => tool({ name: 'plan', input: type({ city: 'string', days: 'number = 2' }), run }),
    },
  ]

  test.each(libraries)('$library: arguments are parsed, the model gets JSON Schema', async ({ library, made }) => {
    seen.length = 0
    const { result, spec } = await callOnce(made(), { city: library === 'zod' ? ' Oslo ' : 'Oslo' })
    expect(result).toMatchObject({ status: 'ok', value: '2 days in Oslo' })
    expect(seen).toEqual([{ city: 'Oslo', days: 2 }])
    expect(spec?.schema).toMatchObject({ type: 'object', properties: { city: { type: 'string' } } })
  })

  test.each(libraries)(
    '$library: what does not fit is an error that names it; the tool does not run',
    async ({ made }) => {
      seen.length = 0
      const { result, status } = await callOnce(made(), { city: 'Oslo', days: 'many' })
      expect(result?.status).toBe('error')
      expect(String(result?.value)).toMatch(/arguments of plan do not fit.*days/)
      expect(seen).toEqual([])
      expect(status).toBe('completed')
    },
  )

  test('valibot without a JSON Schema of its own is refused with the fix; with one besides it works', async () => {
    const input = v.object({ city: v.string() })
    expect(() => tool({ name: 'plan', input, run: () => 1 })).toThrow(/cannot be turned into JSON Schema.*schema:/)
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const { spec } = await callOnce(tool({ name: 'plan', input, schema, run: () => 1 }), { city: 'Oslo' })
    expect(spec?.schema).toEqual(schema)
  })

  test('without a schema anything goes', async () => {
    expect((await callOnce(tool({ name: 'any', run: args => args }), { x: [1] })).result?.value).toEqual({ x: [1] })
  })

  test('validation happens once, also when it is asynchronous, and before any guard', async () => {
    let validated = 0
    const looked: unknown[] = []
    const input = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: async (value: unknown) => {
          validated++
          await Promise.resolve()
          return (value as { bad?: boolean }).bad ? { issues: [{ message: 'bad' }] } : { value }
        },
      },
    }
    const made = tool({ name: 'one', input, schema: {}, run: () => 'ok' })
    const guard = middleware({ name: 'guard', guard: true, beforeTool: ctx => void looked.push(ctx.call.args) })
    const calls = [
      { name: 'one', args: '{"a":1}' },
      { name: 'one', args: { bad: true } },
    ]
    const { messages } = await createAgent({
      model: scriptedModel([{ calls }, 'Done']),
      tools: [made],
      use: [guard],
    }).send('Go')
    expect(validated).toBe(2)
    // A guard is not asked about what cannot run anyway.
    expect(looked).toEqual([{ a: 1 }])
    expect(messages[3]?.content[0]).toMatchObject({ status: 'error' })
  })
})

describe('results', () => {
  const ring: { self?: unknown } = {}
  ring.self = [ring]

  const hooked = async (hook: string, gives: () => unknown) => {
    const model = scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])
    const odd = middleware({ name: 'odd', [hook]: gives } as Parameters<typeof middleware>[0])
    const look = tool({ name: 'look', run: () => 'seen' })
    const events: Event[] = []
    const turn = createAgent({ model, tools: [look], use: [odd] }).send('Go')
    for await (const event of turn) events.push(event)
    const parts = (await turn.settled).messages.flatMap(({ content }) => content)
    return { results: parts.filter(part => part.type === 'result'), events }
  }

  test.each([
    { hook: 'beforeTool', gives: () => skip(new Map([['a', 1n]])), value: { a: '1' } },
    { hook: 'wrapTool', gives: () => new Set([1]), value: [1] },
    {
      hook: 'afterTool',
      gives: () => replace({ status: 'ok', value: new Date(0) }),
      value: '1970-01-01T00:00:00.000Z',
    },
    { hook: 'afterTools', gives: () => replace([new Map()]), value: {} },
  ])('what a hook gives in $hook becomes plain data too', async ({ hook, gives, value }) => {
    expect((await hooked(hook, gives)).results).toMatchObject([{ status: 'ok', value }])
  })

  test('a hook whose result refers to itself has failed; the call keeps the one it had', async () => {
    const { results, events } = await hooked('afterTool', () => replace(ring))
    expect(results).toMatchObject([{ status: 'ok', value: 'seen' }])
    const error = expect.stringMatching(/itself/)
    expect(events).toContainEqual(expect.objectContaining({ type: 'hook.failed', error }))
  })
})

test.each<[string, RegExp]>([
  ['parameters', /A tool has no "parameters"\. Use input \(zod, valibot, arktype\) or schema \(JSON Schema\)\./],
  ['execute', /Use run\./],
  ['descripton', /Use description\./],
])('a tool with %s, which nobody reads, is refused', (member, message) => {
  const definition = { name: 'odd', run: () => 1, [member]: {} }
  expect(() => tool(definition)).toThrow(message)
})
