/**
 * A copy of plain data, for someone who may change it: lists and objects, through and through. Instances of classes (a date, a file's
 * bytes) are no data, and stay what they are. `done`: copies of the objects around it, so that a cycle ends.
 */
export function ownCopy<Value>(value: Value, done?: Map<object, unknown>): Value {
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  const isList = prototype === Array.prototype
  if (!isList && prototype !== Object.prototype && prototype !== null) return value
  const copy = (isList ? [] : prototype ? {} : Object.create(null)) as Record<string, unknown>
  let copies = done
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    // Most arguments are flat: nothing is kept for a cycle that cannot be.
    if (typeof member === 'object' && member !== null) copies = (copies ?? new Map<object, unknown>()).set(value, copy)
    setMember(copy, key, copies ? (copies.get(member as object) ?? ownCopy(member, copies)) : member)
  }
  return copy as Value
}

/** An assignment to `__proto__` would change the prototype. */
function setMember(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') copy[key] = value
  else Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true })
}
