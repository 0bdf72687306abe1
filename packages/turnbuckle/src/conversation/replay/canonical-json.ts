import { sayable } from '../log/json-safe.ts'

/** JSON with the members of objects in one order; also of what JSON cannot say. */
export function canonical(value: unknown): string {
  try {
    return sorted(value)
  } catch {
    return sorted(sayable(value))
  }
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ) ?? 'undefined'
