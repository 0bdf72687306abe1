/**
 * A copy of plain data, for someone who may change it: lists and objects, through and through. Instances of classes (a date, a file's
 * bytes) are no data, and stay what they are.
 */
export function ownCopy<Value>(value: Value, done?: Map<object, unknown>): Value {
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  const isList = prototype === Array.prototype
  if (!isList && prototype !== Object.prototype && prototype !== null) return value
  const copies = done ?? new Map<object, unknown>()
  if (copies.has(value)) return copies.get(value) as Value
  const copy = (isList ? [] : Object.create(prototype as object | null)) as Record<string, unknown>
  // Before its members, so that a cycle ends.
  copies.set(value, copy)
  for (const [key, member] of Object.entries(value))
    Object.defineProperty(copy, key, {
      value: ownCopy(member, copies),
      writable: true,
      enumerable: true,
      configurable: true,
    })
  return copy as Value
}
