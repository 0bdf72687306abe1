import type { Schema, SchemaResult } from '../core/base/ports.ts'

/** An argument: its JSON Schema, and whether it must be there. */
interface Field<Value> {
  readonly schema: object
  readonly required: boolean
  readonly is: (value: unknown) => boolean
  readonly expected: string
  readonly value?: Value
}

type Fields = Readonly<Record<string, Field<unknown>>>
type Read<Shape extends Fields> = {
  [Name in keyof Shape]: Shape[Name] extends Field<infer Value> ? Value : never
}

/** The arguments of our own tools, as a Standard Schema with its JSON Schema: this package has no dependency for it. */
export function object<Shape extends Fields>(shape: Shape): Schema<Read<Shape>> & { toJSONSchema(): object } {
  const entries = Object.entries(shape)
  const validate = (value: unknown): SchemaResult<Read<Shape>> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { issues: [{ message: 'Expected an object.' }] }
    const given = value as Record<string, unknown>
    const unknown = Object.keys(given).filter(name => !(name in shape))
    const issues = [
      ...unknown.map(name => ({ message: `There is no such argument.`, path: [name] })),
      ...entries.flatMap(([name, field]) => problem(name, field, given[name])),
    ]
    return issues.length ? { issues } : { value: given as Read<Shape> }
  }
  return {
    '~standard': { version: 1, vendor: 'turnbuckle', validate },
    toJSONSchema: () => ({
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.filter(([, { required }]) => required).map(([name]) => name),
      additionalProperties: false,
    }),
  }
}

function problem(name: string, { required, is, expected }: Field<unknown>, value: unknown): Issue[] {
  if (value === undefined ? !required : is(value)) return []
  return [{ message: `Expected ${expected}.`, path: [name] }]
}
interface Issue {
  readonly message: string
  readonly path: readonly unknown[]
}

export const text = (description: string): Field<string> => ({
  schema: { type: 'string', description },
  required: true,
  is: value => typeof value === 'string',
  expected: 'text',
})

export const count = (description: string): Field<number> => ({
  schema: { type: 'integer', minimum: 1, description },
  required: true,
  is: value => Number.isSafeInteger(value) && (value as number) >= 1,
  expected: 'a whole number from 1',
})

export const flag = (description: string): Field<boolean> => ({
  schema: { type: 'boolean', description },
  required: true,
  is: value => typeof value === 'boolean',
  expected: 'true or false',
})

export const optional = <Value>(field: Field<Value>): Field<Value | undefined> => ({ ...field, required: false })
