import type { Validator } from '@cfworker/json-schema'
import { TurnbuckleError } from '../core/base/errors.ts'
import { type JsonSchema, schemaProblem } from '../core/base/schema-problem.ts'
import type { SchemaCheck } from '../core/tools/check-by-schema.ts'

/**
 * The check of arguments with every word of JSON Schema, for `createAgent({ schemaCheck })`. Needs the package `@cfworker/json-schema`.
 * Where a schema cannot be evaluated (a pattern that is no regular expression here, a reference to nowhere or to itself), the words
 * that the agent knows by itself are checked: types, required and unknown members, values, limits.
 *
 * ```ts
 * createAgent({ model, tools, schemaCheck: await loadSchemaCheck() })
 * ```
 */
export async function loadSchemaCheck(): Promise<SchemaCheck> {
  const { Validator } = await importValidator()
  const validators = new WeakMap<object, Validator>()
  const validatorOf = (schema: JsonSchema): Validator => {
    const known = validators.get(schema)
    if (known) return known
    // The package writes into the schema that it is given.
    const made = new Validator(JSON.parse(JSON.stringify(schema)), draftOf(schema))
    validators.set(schema, made)
    return made
  }
  return (schema, value) => {
    try {
      const { valid, errors } = validatorOf(schema).validate(value)
      return valid ? undefined : describe(errors)
    } catch {
      return schemaProblem(schema, value)
    }
  }
}

async function importValidator(): Promise<typeof import('@cfworker/json-schema')> {
  try {
    return await import('@cfworker/json-schema')
  } catch (cause) {
    const fix = 'Checking every word of a schema needs a package: npm install @cfworker/json-schema'
    throw new TurnbuckleError('package.missing', fix, { cause })
  }
}

/** The draft that a schema names; MCP's own where it names none. */
function draftOf({ $schema }: JsonSchema): '4' | '7' | '2019-09' | '2020-12' {
  const named = String($schema)
  if (named.includes('draft-04')) return '4'
  if (named.includes('draft-06') || named.includes('draft-07')) return '7'
  return named.includes('2019-09') ? '2019-09' : '2020-12'
}

interface Problem {
  readonly instanceLocation: string
  readonly error: string
}

/** The innermost problem of each path that failed: the ones around it say only that something in them failed. */
function describe(problems: readonly Problem[]): string {
  const places = problems.map(({ instanceLocation }) => instanceLocation)
  const innermost = problems.filter(
    ({ instanceLocation }, i) => !places.slice(i + 1).some(other => other.startsWith(instanceLocation)),
  )
  return innermost
    .slice(0, 5)
    .map(({ instanceLocation, error }) => {
      const path = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.')
      return path ? `${path}: ${error}` : error
    })
    .join(' ')
}
