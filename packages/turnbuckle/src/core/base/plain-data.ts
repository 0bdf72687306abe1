import { TurnbuckleError } from './errors.ts'

/** Data that was checked and frozen before: a state that is updated shares most of its parts with the one before. */
const checked = new WeakSet<object>()

/** Freezes plain data through and through. Throws where it holds anything that a log could not keep, with the key; `path` names the whole. */
export function freezePlain<Value>(value: Value, path: string): Value {
  demandPlain(value, path)
  if (typeof value !== 'object' || value === null || checked.has(value)) return value
  // Before its members, so that a cycle ends.
  checked.add(Object.freeze(value))
  for (const [key, member] of Object.entries(value)) freezePlain(member, within(value, path, key))
  return value
}

/** A frozen copy of plain data, checked in the same way: what was given stays the caller's. */
export function copyPlain(value: unknown, path: string): unknown {
  demandPlain(value, path)
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'toJSON')) return value
  const copied = Object.entries(value).map(
    ([key, member]) => [key, copyPlain(member, within(value, path, key))] as const,
  )
  return freezePlain(Array.isArray(value) ? copied.map(([, member]) => member) : Object.fromEntries(copied), path)
}

const within = (value: object, path: string, key: string): string =>
  Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`

function demandPlain(value: unknown, path: string): void {
  const kind = oddKind(value)
  if (!kind) return
  throw new TurnbuckleError(
    'state.invalid',
    `${path} is ${kind}. State is plain data that a log can keep: objects, lists, text, numbers, booleans and null.`,
  )
}

/** Why a value is no plain data, as a noun; nothing where it is. One that says itself how it is written (`toJSON` of its own: a snapshot) is. */
function oddKind(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return undefined
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null || Array.isArray(value) || Object.hasOwn(value, 'toJSON'))
    return undefined
  const name: unknown = prototype.constructor?.name
  return typeof name === 'string' && name ? `a ${name}` : 'an instance of a class'
}
