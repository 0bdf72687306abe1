import { jsonSafe } from './json-safe.ts'

/** JSON with the members of objects in one order, so that equal values give equal text. Never throws. */
export function canonicalJson(value: unknown): string {
  try {
    return sorted(value)
  } catch {
    return sorted(jsonSafe(value))
  }
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) ?? 'undefined'
