/** A field of a request's form. */
export type Field = Common & Kind

interface Common {
  readonly name: string
  readonly label: string
  readonly help?: string | undefined
  readonly required: boolean
  readonly default?: unknown
}

export type Kind =
  | ({ readonly kind: 'text' } & TextRules)
  | { readonly kind: 'number'; readonly whole: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean' }
  /** `other`: an answer in the person's own words is accepted too. */
  | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly other?: boolean }
  | { readonly kind: 'several'; readonly choices: readonly Choice[]; readonly min?: number; readonly max?: number }
  | { readonly kind: 'list'; readonly item: Field; readonly min?: number; readonly max?: number }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  /** A schema that no other kind of field covers: the person writes JSON. */
  | { readonly kind: 'json' }

export interface TextRules {
  readonly type: 'text' | 'long' | 'email' | 'url' | 'date'
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

export interface Choice {
  readonly label: string
  /** The value as the schema has it, not its label. */
  readonly value: unknown
}

/** The part of JSON Schema that becomes fields. Other keywords are checked by the server only. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface Asked {
  readonly question?: string
  readonly message?: string
  readonly options?: readonly unknown[]
  readonly choices?: readonly unknown[]
  readonly schema?: Schema
}

/** The fields of a request's JSON Schema. A request without a schema has one field: its options, or text. */
export function schemaFields(payload: unknown): readonly Field[] {
  const { schema, options, choices = options } = (payload ?? {}) as Asked
  if (schema?.properties) return membersOf(schema)
  const text = { name: 'text', required: true }
  if (!Array.isArray(choices) || !choices.length) return [{ ...text, label: 'Your answer', kind: 'text', type: 'long' }]
  return [{ ...text, label: 'Choose', kind: 'choice', choices: choices.map(choiceOf), other: true }]
}

const membersOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name)))

function fieldOf(name: string, given: Schema, required: boolean): Field {
  const schema = { ...given, ...orNull(given) }
  const { title, description } = schema
  const label = title ?? description ?? name
  const help = label === description ? undefined : description
  return { name, label, help, required, default: schema.default, ...kindOf(schema) }
}

/** The schema beside `null` in `anyOf`. Zod writes nullable fields so. */
const orNull = ({ anyOf = [] }: Schema): Schema | undefined => {
  const others = anyOf.filter(({ type }) => type !== 'null')
  return others.length === 1 ? others[0] : undefined
}

const choiceOf = (value: unknown): Choice => ({ label: String(value), value })

/** The choices of a schema that lists its values, by `enum` or by `const` members. */
function choicesOf({ enum: values, oneOf = [], anyOf = oneOf }: Schema): Choice[] | undefined {
  if (values) return values.map(choiceOf)
  if (!anyOf.length || !anyOf.every(one => 'const' in one)) return undefined
  return anyOf.map(one => ({ label: one.title ?? String(one.const), value: one.const }))
}

function kindOf(schema: Schema): Kind {
  const choices = choicesOf(schema)
  if (choices) return { kind: 'choice', choices }
  const type = Array.isArray(schema.type) ? schema.type.find(one => one !== 'null') : schema.type
  switch (type) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'number':
    case 'integer':
      return { kind: 'number', whole: type === 'integer', ...limits(schema.minimum, schema.maximum) }
    case 'array':
      return listOf(schema)
    case 'object':
      return schema.properties ? { kind: 'group', fields: membersOf(schema) } : { kind: 'json' }
    case 'string':
      return textOf(schema)
    default:
      return { kind: 'json' }
  }
}

function listOf({ items, minItems, maxItems }: Schema): Kind {
  if (!items) return { kind: 'json' }
  const bounds = limits(minItems, maxItems)
  const choices = choicesOf(items)
  if (choices) return { kind: 'several', choices, ...bounds }
  return { kind: 'list', item: fieldOf('', items, true), ...bounds }
}

const formats: Readonly<Record<string, TextRules['type']>> = { email: 'email', uri: 'url', date: 'date' }

function textOf({ format = '', pattern, minLength, maxLength = 0 }: Schema): Kind {
  return {
    kind: 'text',
    type: formats[format] ?? (maxLength > 200 ? 'long' : 'text'),
    ...(minLength ? { minLength } : {}),
    ...(maxLength ? { maxLength } : {}),
    ...(pattern ? { pattern } : {}),
  }
}

const limits = (min: number | undefined, max: number | undefined): { min?: number; max?: number } => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
})
