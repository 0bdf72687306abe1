/** A JSON Schema. Of its words `schemaProblem` knows those that forms are made of; others are passed over. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Test = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: ReadonlyMap<unknown, Test> = new Map<string, Test>([
  ['object', isObject],
  ['array', Array.isArray],
  ['string', value => typeof value === 'string'],
  ['number', value => typeof value === 'number' && Number.isFinite(value)],
  ['integer', Number.isInteger],
  ['boolean', value => typeof value === 'boolean'],
  ['null', value => value === null],
])

interface Limit {
  /** Stands before the limit in what is expected. */
  readonly words: string
  /** True also for a value that has no such measure. */
  fits(value: unknown, limit: number): boolean
}

const limits: ReadonlyMap<string, Limit> = new Map<string, Limit>([
  ['minimum', { words: 'at least', fits: (value, limit) => typeof value !== 'number' || value >= limit }],
  ['maximum', { words: 'at most', fits: (value, limit) => typeof value !== 'number' || value <= limit }],
  ['exclusiveMinimum', { words: 'greater than', fits: (value, limit) => typeof value !== 'number' || value > limit }],
  ['exclusiveMaximum', { words: 'less than', fits: (value, limit) => typeof value !== 'number' || value < limit }],
  [
    'minLength',
    { words: 'text as long as', fits: (value, limit) => typeof value !== 'string' || value.length >= limit },
  ],
  [
    'maxLength',
    { words: 'text no longer than', fits: (value, limit) => typeof value !== 'string' || value.length <= limit },
  ],
  ['minItems', { words: 'a list as long as', fits: (value, limit) => !Array.isArray(value) || value.length >= limit }],
  [
    'maxItems',
    { words: 'a list no longer than', fits: (value, limit) => !Array.isArray(value) || value.length <= limit },
  ],
])

/** The first thing in which a value does not fit its schema, in words that begin with its path; nothing where it fits. */
export function schemaProblem(schema: JsonSchema, value: unknown, path = ''): string | undefined {
  return (
    ownProblem(schema, value, path) ??
    (isObject(value) ? membersProblem(schema, value, path) : undefined) ??
    (Array.isArray(value) ? itemsProblem(schema, value, path) : undefined)
  )
}

/** Every call of a tool without a validator comes by: it looks at the words that its schema has, not at all there are. */
function ownProblem(schema: JsonSchema, value: unknown, path: string): string | undefined {
  if (!hasType(schema.type, value)) return expected(path, [schema.type].flat().join(' or '))
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  if (values && !values.some(one => isEqual(one, value)))
    return expected(path, values.map(one => JSON.stringify(one)).join(' or '))
  for (const word in schema) {
    const limit = schema[word]
    const known = typeof limit === 'number' ? limits.get(word) : undefined
    if (known && !known.fits(value, limit as number)) return expected(path, `${known.words} ${limit}`)
  }
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf
  return Array.isArray(choices) ? choicesProblem(choices, value, path) : undefined
}

const expected = (path: string, what: string): string => `${path ? `${path}: ` : ''}expected ${what}.`

/** True for a value of the type, or of one of the types; a schema may leave its type out, or name one that is unknown here. */
const hasType = (type: unknown, value: unknown): boolean =>
  Array.isArray(type) ? !type.length || type.some(one => hasType(one, value)) : (types.get(type)?.(value) ?? true)

function choicesProblem(choices: readonly unknown[], value: unknown, path: string): string | undefined {
  const problems = choices.map(one => (isObject(one) ? schemaProblem(one, value, path) : undefined))
  return problems.every(problem => problem !== undefined) ? problems.join(' Or: ') : undefined
}

/** Values of an `enum` may be objects, and plain data is equal where its JSON is. */
const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

function membersProblem(schema: JsonSchema, value: JsonSchema, path: string): string | undefined {
  const { required } = schema
  const missing = Array.isArray(required) ? required.find(name => value[name] === undefined) : undefined
  if (missing !== undefined) return `${memberPath(path, missing)} is missing.`
  for (const name of Object.keys(value)) {
    const problem = value[name] === undefined ? undefined : memberProblem(schema, name, value[name], path)
    if (problem !== undefined) return problem
  }
  return undefined
}

function memberProblem(schema: JsonSchema, name: string, member: unknown, path: string): string | undefined {
  const properties = isObject(schema.properties) ? schema.properties : noProperties
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (isObject(known)) return schemaProblem(known, member, memberPath(path, name))
  if (known !== undefined || schema.additionalProperties !== false || schema.patternProperties) return undefined
  return `There is no field "${memberPath(path, name)}". Fields: ${Object.keys(properties).join(', ')}.`
}

const noProperties: JsonSchema = {}

const memberPath = (path: string, name: string): string => (path ? `${path}.${name}` : name)

function itemsProblem({ items }: JsonSchema, value: readonly unknown[], path: string): string | undefined {
  if (!isObject(items)) return undefined
  for (const [index, item] of value.entries()) {
    const problem = schemaProblem(items, item, memberPath(path, String(index)))
    if (problem !== undefined) return problem
  }
  return undefined
}
