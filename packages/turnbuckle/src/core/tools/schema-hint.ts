/** The members to add to a tool, by library: for schemas that give no JSON Schema by themselves, and for what is no Standard Schema. */
const lines: Readonly<Record<string, string>> = {
  'zod 3': "schema: zodToJsonSchema(input), from 'zod-to-json-schema'",
  'zod/mini': "schema: z.toJSONSchema(input), from 'zod/mini'",
  valibot: "schema: toJsonSchema(input), from '@valibot/to-json-schema'",
  yup: "schema: convertSchema(input), from '@sodaru/yup-to-json-schema'",
  'effect 4': 'input: Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(input))',
  'effect 3': 'input: Schema.standardSchemaV1(input), schema: JSONSchema.make(input)',
  typebox: 'schema: …, in place of input: it is JSON Schema',
}

/** The line to add for an input that cannot be used as it is; nothing where the library is not known. */
export function schemaHint(input: object): string | undefined {
  const line = lines[libraryOf(input)]
  return line && `Add ${line}.`
}

function libraryOf(input: object): string {
  const { vendor = '' } = (input as { '~standard'?: { vendor?: string } })['~standard'] ?? {}
  if (vendor === 'zod') return '_zod' in input ? 'zod/mini' : 'zod 3'
  if (vendor === 'effect' || 'ast' in input) return isFourth(input) ? 'effect 4' : 'effect 3'
  if ('~kind' in input || 'type' in input) return vendor || 'typebox'
  return vendor
}

/** Schemas of effect 3 have a method `annotations`, those of 4 have `annotate`. */
const isFourth = (input: object): boolean => !('annotations' in input && typeof input.annotations === 'function')
