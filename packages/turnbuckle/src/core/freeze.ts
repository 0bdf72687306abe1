/** Freezes plain data through and through, so that what a guard saw is what will be used. */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (ArrayBuffer.isView(value) || value instanceof URL) return value
  // A lazy member, as a prompt's messages, stays lazy: what it gives is made of frozen parts already.
  for (const [key, { value: member }] of Object.entries(Object.getOwnPropertyDescriptors(value)))
    if (key) freeze(member)
  return Object.freeze(value)
}
