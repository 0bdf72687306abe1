/** Takes out of a text what the redactors keep from being told. */
export type Clean = (text: string) => string

/**
 * Plain data with its texts, keys and numbers cleaned; the same object where there was nothing to clean, and the same copy for the same
 * object of `done`. Other objects stay as they are: JSON shows
 * little or nothing of them.
 */
export function cleanData(value: unknown, clean: Clean, done: Map<object, unknown> = new Map()): unknown {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'number') return cleanNumber(value, clean)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  if (done.has(value)) return done.get(value)
  // A cycle ends here.
  done.set(value, undefined)
  const cleaned = Array.isArray(value) ? cleanList(value, clean, done) : cleanMembers(value, clean, done)
  done.set(value, cleaned)
  return cleaned
}

function cleanList(list: readonly unknown[], clean: Clean, done: Map<object, unknown>): readonly unknown[] {
  const cleaned = list.map(member => cleanData(member, clean, done))
  return cleaned.every((member, i) => Object.is(member, list[i])) ? list : cleaned
}

function cleanMembers(value: object, clean: Clean, done: Map<object, unknown>): object {
  const members = Object.entries(value)
  const cleaned = members.map(([key, member]) => [clean(key), cleanData(member, clean, done)] as const)
  const isSame = cleaned.every(([key, member], i) => key === members[i]?.[0] && Object.is(member, members[i]?.[1]))
  return isSame ? value : Object.fromEntries(cleaned)
}

function cleanNumber(value: number, clean: Clean): unknown {
  const text = String(value)
  const cleaned = clean(text)
  return cleaned === text ? value : cleaned
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
