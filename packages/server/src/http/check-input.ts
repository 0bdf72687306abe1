import { TurnbuckleError } from 'turnbuckle'
import type { z } from 'zod'

/** Contract: gives the parsed value, or throws an error with `code` that lists each problem by its path. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema | undefined,
  value: unknown,
  code: string,
): z.output<Schema> {
  if (!schema) return undefined as z.output<Schema>
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const problems = error.issues.map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
  throw new TurnbuckleError(code, problems.join(' '))
}
