/** A JSON Schema. Of its words `schemaProblem` knows those that forms are made of; others are passed over. */
export type JsonSchema = Readonly<Record<string, unknown>>

type Test = (value: unknown) => boolean

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: Readonly<Record<string, Test>> = {
  object: isObject,
  array: Array.isArray,
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

/** Limits by their word: what must hold of a value that has such a measure. */
const limits: Readonly<Record<string, { readonly words: string; fits(value: unknown, limit: number): boolean }>> = {
  minimum: { words: 'at least', fits: (value, limit) => typeof value !== 'number' || value >= limit },
  maximum: { words: 'at most', fits: (value, limit) => typeof value !== 'number' || value <= limit },
  exclusiveMinimum: { words: 'greater than', fits: (value, limit) => typeof value !== 'number' || value > limit },
  exclusiveMaximum: { words: 'less than', fits: (value, limit) => typeof value !== 'number' || value < limit },
  minLength: { words: 'text as long as', fits: (value, limit) => typeof value !== 'string' || value.length >= limit },
  maxLength: {
    words: 'text no longer than',
    fits: (value, limit) => typeof value !== 'string' || value.length <= limit,
  },
  minItems: { words: 'a list as long as', fits: (value, limit) => !Array.isArray(value) || value.length >= limit },
  maxItems: { words: 'a list no longer than', fits: (value, limit) => !Array.isArray(value) || value.length <= limit },
}

/** The first thing in which a value does not fit its schema, in words that begin with its path; nothing where it fits. */
export function schemaProblem(schema: JsonSchema, value: unknown, path = ''): string | undefined {
  return (
    ownProblem(schema, value, path) ??
    (isObject(value) ? membersProblem(schema, value, path) : undefined) ??
    (Array.isArray(value) ? itemsProblem(schema, value, path) : undefined)
  )
}

function ownProblem(schema: JsonSchema, value: unknown, path: string): string | undefined {
  const expected = (what: string) => `${path ? `${path}: ` : ''}expected ${what}.`
  const wanted = [schema.type ?? []].flat().map(String)
  if (wanted.length && !wanted.some(type => types[type]?.(value) ?? true)) return expected(wanted.join(' or '))
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined
  if (values && !values.some(one => isEqual(one, value)))
    return expected(values.map(one => JSON.stringify(one)).join(' or '))
  for (const [word, { words, fits }] of Object.entries(limits)) {
    const limit = schema[word]
    if (typeof limit === 'number' && !fits(value, limit)) return expected(`${words} ${limit}`)
  }
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  const problems = choices?.map(one => (isObject(one) ? schemaProblem(one, value, path) : undefined))
  return problems?.every(problem => problem !== undefined) ? problems.join(' Or: ') : undefined
}

/** Values of an `enum` may be objects, and plain data is equal where its JSON is. */
const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

function membersProblem(schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: string) {
  const place = (name: string) => (path ? `${path}.${name}` : name)
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const missing = required.find(name => value[name] === undefined)
  if (missing !== undefined) return `${place(missing)} is missing.`
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined && schema.additionalProperties === false && !schema.patternProperties)
      return `There is no field "${place(name)}". Fields: ${Object.keys(properties).join(', ')}.`
    const problem = isObject(known) ? schemaProblem(known, member, place(name)) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

function itemsProblem({ items }: JsonSchema, value: readonly unknown[], path: string): string | undefined {
  if (!isObject(items)) return undefined
  for (const [index, item] of value.entries()) {
    const problem = schemaProblem(items, item, path ? `${path}.${index}` : String(index))
    if (problem !== undefined) return problem
  }
  return undefined
}
