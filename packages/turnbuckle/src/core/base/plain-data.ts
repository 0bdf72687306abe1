import { TurnbuckleError } from './errors.ts'

/**
 * Freezes plain data through and through. Throws where it holds anything that a log could not keep, with the key; `path` names the whole.
 * `before` is data that was checked: frozen parts that have their place in it are not looked at again.
 */
export function freezePlain<Value>(value: Value, path: string, before?: unknown): Value {
  const odd = freezeOrFind(value, before, [])
  if (odd) throw notPlain(`${path}${odd}`)
  return value
}

/** The first value that is no plain data, as the end of a sentence: `.list[0].deep is a Map`. `around` are the parts that hold the value: a cycle ends there. */
function freezeOrFind(value: unknown, before: unknown, around: object[]): string | undefined {
  const kind = oddKind(value)
  if (kind) return ` is ${kind}`
  if (typeof value !== 'object' || value === null || around.includes(value)) return undefined
  if (value === before && Object.isFrozen(value)) return undefined
  Object.freeze(value)
  around.push(value)
  for (const key of Object.keys(value)) {
    const member = memberOf(value, key)
    if (isScalar(member)) continue
    const odd = freezeOrFind(member, memberOf(before, key), around)
    if (odd) return Array.isArray(value) ? `[${key}]${odd}` : `.${key}${odd}`
  }
  around.pop()
  return undefined
}

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || Number.isFinite(value) || typeof value === 'boolean' || value === undefined

const memberOf = (data: unknown, key: string): unknown => (data as Readonly<Record<string, unknown>> | undefined)?.[key]

/** A frozen copy of plain data, checked in the same way: what was given stays the caller's. */
export function copyPlain(value: unknown, path: string): unknown {
  const kind = oddKind(value)
  if (kind) throw notPlain(`${path} is ${kind}`)
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'toJSON')) return value
  const copied = Object.entries(value).map(
    ([key, member]) => [key, copyPlain(member, within(value, path, key))] as const,
  )
  return freezePlain(Array.isArray(value) ? copied.map(([, member]) => member) : Object.fromEntries(copied), path)
}

const within = (value: object, path: string, key: string): string =>
  Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`

const notPlain = (what: string): TurnbuckleError =>
  new TurnbuckleError(
    'state.invalid',
    `${what}. State is plain data that a log can keep: objects, lists, text, numbers, booleans and null.`,
  )

/** Why a value is no plain data, as a noun; nothing where it is. One that says itself how it is written (`toJSON` of its own: a snapshot) is. */
function oddKind(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return `a ${typeof value}`
  // JSON would make it null.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return undefined
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null || Array.isArray(value) || Object.hasOwn(value, 'toJSON'))
    return undefined
  const name: unknown = prototype.constructor?.name
  return typeof name === 'string' && name ? `a ${name}` : 'an instance of a class'
}
