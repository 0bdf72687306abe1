/** Freezes plain data through and through, so that what a guard saw is what will be used. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  const prototype = Object.getPrototypeOf(value)
  // A list and an object are frozen before their members, so that a cycle ends.
  if (prototype === Array.prototype) {
    Object.freeze(value)
    for (const member of value as readonly unknown[]) deepFreeze(member)
  } else if (prototype === Object.prototype || prototype === null) {
    Object.freeze(value)
    for (const key in value) if (typeof value[key] === 'object') deepFreeze(value[key])
  } else if (isLazy(value)) {
    // The lazy `messages` are not read here: the messages that a prompt gives are sealed already.
    for (const { value: member } of Object.values(Object.getOwnPropertyDescriptors(value))) deepFreeze(member)
    Object.freeze(value)
  }
  // Anything else is no data, and not ours: a message's place in the tree, a file's bytes.
  return value
}

/** True for a prompt whose messages are read on first access. */
const isLazy = (value: object): boolean => Object.getOwnPropertyDescriptor(value, 'messages')?.get !== undefined
