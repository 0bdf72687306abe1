import type { Schema } from '../core/base/ports.ts'
import { tool } from '../core/tools/tool.ts'
import type { Tool } from '../core/types/tool.ts'

/** A tool of LangChain: what its `tool()` gives, and instances of its classes. */
export interface LangChainTool {
  /** The name that the model calls it by. */
  readonly name: string
  /** What it does, for the model. */
  readonly description: string
  /** A zod schema, or JSON Schema. */
  readonly schema: unknown
  /** Checks the arguments, and runs a call. */
  invoke(input: never, config?: object): Promise<unknown>
}

/**
 * Tools of LangChain, unchanged.
 *
 * ```ts
 * createAgent({ model, tools: langChainTools([search]) })
 * ```
 */
export const langChainTools = (tools: readonly LangChainTool[]): Tool[] =>
  tools.map(given => {
    const { name, description } = given
    return tool<never>({
      name,
      description,
      schema: schemaOf(given),
      run: (input, { signal }) => given.invoke(input, { signal }),
    })
  })

/** LangChain checks the arguments by itself, so that only the JSON Schema is taken from its schema. */
function schemaOf({ name, schema }: LangChainTool): object {
  if (typeof schema !== 'object' || schema === null || !('~standard' in schema)) return (schema ?? {}) as object
  try {
    return tool({ name, input: schema as Schema, run: () => undefined }).schema
  } catch (error) {
    // A tool that takes one text has a schema with a function in it, which has no JSON Schema.
    if (takesText(schema)) return { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
    throw error
  }
}

/** True for the schema of zod 3 that LangChain gives its tools of one text. */
function takesText(schema: object): boolean {
  const { _def: definition } = schema as { readonly _def?: { readonly schema?: { readonly shape?: object } } }
  return 'input' in (definition?.schema?.shape ?? {})
}
