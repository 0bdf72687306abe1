import { convertSchema } from '@sodaru/yup-to-json-schema'
import { toJsonSchema } from '@valibot/to-json-schema'
import { type as ark } from 'arktype'
import { Schema as Effect4 } from 'effect'
import { Schema as Effect3, JSONSchema } from 'effect-v3'
import { createAgent, type ToolDefinition, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { Type } from 'typebox'
import { Type as Type0 } from 'typebox-v0'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import * as yup from 'yup'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { z as z3 } from 'zod-v3'

type Parts = Pick<ToolDefinition<{ city: string }>, 'input' | 'schema'>

const zod3 = z3.object({ city: z3.string() })
const zodMini = mini.object({ city: mini.string() })
const valibot = v.object({ city: v.string() })
const yupped = yup.object({ city: yup.string().strict().required() })
const effect3 = Effect3.Struct({ city: Effect3.String })
const effect4 = Effect4.Struct({ city: Effect4.String })
const typebox = Type.Object({ city: Type.String() })
const typebox0 = Type0.Object({ city: Type0.String() })

/** Each library's schema as it is, the line that the error asks for, and the tool with that line. */
const libraries: readonly { name: string; alone: unknown; hint?: string; parts: Parts }[] = [
  { name: 'zod 4', alone: z.object({ city: z.string() }), parts: { input: z.object({ city: z.string() }) } },
  { name: 'arktype', alone: ark({ city: 'string' }), parts: { input: ark({ city: 'string' }) } },
  {
    name: 'zod 3',
    alone: zod3,
    hint: "Add schema: zodToJsonSchema(input), from 'zod-to-json-schema'.",
    parts: { input: zod3, schema: zodToJsonSchema(zod3 as never) },
  },
  {
    name: 'zod/mini',
    alone: zodMini,
    hint: "Add schema: z.toJSONSchema(input), from 'zod/mini'.",
    parts: { input: zodMini, schema: mini.toJSONSchema(zodMini) },
  },
  {
    name: 'valibot',
    alone: valibot,
    hint: "Add schema: toJsonSchema(input), from '@valibot/to-json-schema'.",
    parts: { input: valibot, schema: toJsonSchema(valibot) },
  },
  {
    name: 'yup',
    alone: yupped,
    hint: "Add schema: convertSchema(input), from '@sodaru/yup-to-json-schema'.",
    parts: { input: yupped, schema: convertSchema(yupped) },
  },
  {
    name: 'effect 3',
    alone: effect3,
    hint: 'Add input: Schema.standardSchemaV1(input), schema: JSONSchema.make(input).',
    parts: { input: Effect3.standardSchemaV1(effect3), schema: JSONSchema.make(effect3) },
  },
  {
    name: 'effect 4',
    alone: effect4,
    hint: 'Add input: Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(input)).',
    parts: { input: Effect4.toStandardJSONSchemaV1(Effect4.toStandardSchemaV1(effect4)) },
  },
  {
    name: 'typebox',
    alone: typebox,
    hint: 'Add schema: …, in place of input: it is JSON Schema.',
    parts: { schema: typebox },
  },
  {
    name: 'typebox 0.34',
    alone: typebox0,
    hint: 'Add schema: …, in place of input: it is JSON Schema.',
    parts: { schema: typebox0 },
  },
]

test.each(libraries)('$name works, or the error says the one line to add', ({ alone, hint }) => {
  const make = () => tool({ name: 'weather', input: alone as never, run: () => '' })
  if (hint === undefined) expect(make()).toBeDefined()
  else expect(make).toThrow(hint)
})

test.each(libraries)(
  '$name in place of JSON Schema is used where it is that, and refused where not',
  ({ name, alone }) => {
    const make = () => tool({ name: 'weather', schema: alone as object, run: () => '' })
    if (name.startsWith('typebox')) expect(make()).toBeDefined()
    else
      expect(make).toThrow('The schema of "weather" is no JSON Schema. One of a library (zod, valibot, arktype, ...)')
  },
)

test.each(libraries)('with that line $name tells the model its schema and checks arguments', async ({ parts }) => {
  const ran: unknown[] = []
  const weather = tool({ name: 'weather', ...parts, run: ({ city }) => ran.push(city) })
  const calls = [
    { name: 'weather', args: { city: 'Oslo' } },
    { name: 'weather', args: { city: 7 } },
  ]
  const model = scriptedModel([{ calls }, 'Done.'])
  const { messages } = await createAgent({ model, tools: [weather] }).send('Go.')
  expect(model.prompts[0]?.tools[0]?.schema).toMatchObject({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  })
  const results = messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))
  expect(results.map(({ status }) => status)).toEqual(['ok', 'error'])
  expect(JSON.stringify(results[1])).toContain('city')
  expect(ran).toEqual(['Oslo'])
})
