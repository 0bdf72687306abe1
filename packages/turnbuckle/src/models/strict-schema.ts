/**
 * True where OpenAI takes a schema in its strict mode: every object lists all its members as required and allows no others.
 * A schema with optional members is asked for without that mode, instead of being refused.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (typeof schema !== 'object' || schema === null) return true
  const { properties, required, additionalProperties } = schema as {
    readonly properties?: object
    readonly required?: readonly string[]
    readonly additionalProperties?: unknown
  }
  const names = Object.keys(properties ?? {})
  const closed = additionalProperties === false && names.every(name => required?.includes(name))
  return (!properties || closed) && Object.values(schema).every(isStrictSchema)
}
