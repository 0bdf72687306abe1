/** Freezes plain data through and through, so that what a guard saw is what will be used. */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (ArrayBuffer.isView(value) || value instanceof URL) return value
  // First, so that what refers to itself comes to an end.
  Object.freeze(value)
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null)
    for (const key in value) freeze(value[key])
  // A lazy member, as a prompt's messages, stays lazy: what it gives is made of frozen parts already.
  else for (const { value: member } of Object.values(Object.getOwnPropertyDescriptors(value))) freeze(member)
  return value
}
