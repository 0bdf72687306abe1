/**
 * Any value as one line of text in which two versions can be compared. Members that are undefined count as absent; their
 * order does not count, see `sameLine`.
 */
export function plain(value: unknown): string {
  try {
    return JSON.stringify(value, readable) ?? 'undefined'
  } catch {
    return JSON.stringify(withoutCycles(value, []), readable)
  }
}

function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'object') return value === null ? value : asData(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return '(function)'
  return typeof value === 'symbol' ? String(value) : value
}

function asData(value: object): unknown {
  if (value instanceof Error) return errorData(value)
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`
  if (value instanceof Map) return [...value]
  if ('createdAt' in value && 'message' in value) return nodeData(value)
  if ('indexInStep' in value) return pipelineData(value)
  return 'stream' in value ? `(model ${String((value as { id?: unknown }).id)})` : value
}

/** A node of the tree, as far as it is public. */
function nodeData(node: object): object {
  const { id, parentId, message, turnId, usage, cost, createdAt } = node as Record<string, unknown>
  return { id, parentId, message, turnId, usage, cost, createdAt }
}

/** A pipeline by the names of its stages: their members are the engine's own. */
function pipelineData(pipeline: object): object {
  const { turn, step } = pipeline as Record<'turn' | 'step', readonly { readonly name: string }[]>
  return { turn: turn.map(({ name }) => name), step: step.map(({ name }) => name) }
}

function errorData(thrown: Error): object {
  const { name, code, message, kind, by, at, cause } = thrown as Error & Record<string, unknown>
  return { error: name, code, message, kind, by, at, cause }
}

function withoutCycles(value: unknown, above: readonly object[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '(itself)'
  const data = value instanceof Date ? value.toJSON() : asData(value)
  if (typeof data !== 'object' || data === null) return data
  const below = [...above, value]
  if (Array.isArray(data)) return data.map(member => withoutCycles(member, below))
  return Object.fromEntries(Object.entries(data).map(([key, member]) => [key, withoutCycles(member, below)]))
}

/** Compares two lines up to a tab, without regard to the order in which the members of their values were written. */
export const sameLine = (a: string, b: string): boolean => a === b || sorted(a) === sorted(b)

function sorted(given: string): string {
  const [line = ''] = given.split('\t', 1)
  const from = line.search(/[[{]/)
  if (from < 0) return line
  try {
    return line.slice(0, from) + JSON.stringify(inOrder(JSON.parse(line.slice(from))))
  } catch {
    return line
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, inOrder(member)]))
}
