import { oneLine } from './one-line.ts'
import { visibleValue } from './visible-value.ts'

/** `shell  ls -la`, `search_files  createAgent in src`: the argument that matters, or all of them. */
export function callLine(args: unknown, width: number): string {
  const { command, path, url, pattern, expression, question, plan } = (args ?? {}) as Record<string, unknown>
  const main = command ?? search(pattern, path) ?? path ?? url ?? expression ?? question ?? plan
  return oneLine(visibleValue(typeof main === 'string' ? main : (args ?? '')), width)
}

/** A search by its pattern, and where it looks if that is not everywhere. */
const search = (pattern: unknown, path: unknown): string | undefined =>
  typeof pattern !== 'string' ? undefined : typeof path === 'string' && path !== '.' ? `${pattern} in ${path}` : pattern
