import type { Schema } from '../base/ports.ts'
import { type JsonSchema, schemaProblem } from '../base/schema-problem.ts'
import type { Tool } from '../types/tool.ts'

/** Checks a value against a JSON Schema. Gives what is wrong with it, in words for the model; nothing where it fits. */
export type SchemaCheck = (schema: JsonSchema, value: unknown) => string | undefined

/** A tool whose arguments are always checked: one that came with JSON Schema only (MCP, `schema`) is checked with that. */
export function checkBySchema(tool: Tool, check: SchemaCheck = schemaProblem): Tool {
  if (tool.input) return tool
  const schema = tool.schema as JsonSchema
  const validate: Schema['~standard']['validate'] = args => {
    const problem = check(schema, args)
    return problem === undefined ? { value: args } : { issues: [{ message: problem }] }
  }
  return { ...tool, input: { '~standard': { version: 1, vendor: 'json-schema', validate } } }
}
