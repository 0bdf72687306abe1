import { Mistake } from '../mistake.ts'
import { hint } from '../nearest.ts'

/** What a value in the settings may be. */
export type Shape =
  | { readonly is: 'text' | 'boolean' | 'number' | 'count' | 'anything' }
  | { readonly is: 'one of'; readonly values: readonly unknown[] }
  | { readonly is: 'list' | 'map'; readonly of: Shape }
  | { readonly is: 'object'; readonly keys: Readonly<Record<string, Shape>>; readonly needs?: readonly string[] }

export const text: Shape = { is: 'text' }
export const boolean: Shape = { is: 'boolean' }
export const number: Shape = { is: 'number' }
/** 1, 2, 3 … */
export const count: Shape = { is: 'count' }
export const anything: Shape = { is: 'anything' }
export const oneOf = (...values: readonly unknown[]): Shape => ({ is: 'one of', values })
export const list = (of: Shape): Shape => ({ is: 'list', of })
export const map = (of: Shape): Shape => ({ is: 'map', of })
export const object = (keys: Readonly<Record<string, Shape>>, ...needs: readonly string[]): Shape => ({
  is: 'object',
  keys,
  needs,
})

/** Where the value came from, for the message. */
export interface Place {
  readonly file: string
  line(path: readonly string[]): number | undefined
}

/** What a plain value has to be, in words, where it is not. */
function unlike(value: unknown, shape: Shape): string | undefined {
  switch (shape.is) {
    case 'text':
      return typeof value === 'string' ? undefined : 'text'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'number':
      return Number.isFinite(value) ? undefined : 'a number'
    case 'count':
      return Number.isInteger(value) && (value as number) > 0 ? undefined : 'a whole number of at least 1'
    case 'one of':
      return shape.values.includes(value) ? undefined : shape.values.map(one => JSON.stringify(one)).join(', ')
    case 'list':
      return Array.isArray(value) ? undefined : 'a list [ … ]'
    default:
      return undefined
  }
}

/** Throws a `Mistake` at the first value that does not fit: file, line, key, and the nearest known one. */
export function check(value: unknown, shape: Shape, place: Place, path: readonly string[] = []): void {
  const expected = unlike(value, shape)
  if (expected !== undefined) throw misfit(value, expected, place, path)
  if (shape.is === 'list')
    for (const [i, item] of (value as readonly unknown[]).entries()) check(item, shape.of, place, [...path, String(i)])
  if (shape.is === 'map')
    for (const [key, item] of entries(value, place, path)) check(item, shape.of, place, [...path, key])
  if (shape.is === 'object') checkObject(value, shape, place, path)
}

function checkObject(value: unknown, shape: Shape & { is: 'object' }, place: Place, path: readonly string[]): void {
  const given = entries(value, place, path)
  for (const [key, item] of given) {
    const inner = shape.keys[key]
    if (!inner || !Object.hasOwn(shape.keys, key))
      throw new Mistake(
        `${at(place, [...path, key])}unknown key "${[...path, key].join('.')}". ${hint(key, Object.keys(shape.keys))}`,
      )
    if (item !== undefined) check(item, inner, place, [...path, key])
  }
  const missing = (shape.needs ?? []).find(key => !given.some(([name]) => name === key))
  if (missing !== undefined) throw new Mistake(`${at(place, path)}"${[...path, missing].join('.')}" is missing.`)
}

function entries(value: unknown, place: Place, path: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw misfit(value, 'an object { … }', place, path)
  return Object.entries(value)
}

const misfit = (value: unknown, expected: string, place: Place, path: readonly string[]): Mistake =>
  new Mistake(
    `${at(place, path)}${path.length ? `"${path.join('.')}"` : 'the settings'} must be ${expected}, not ${shown(value)}.`,
  )

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60)

/** `turnbuckle.config.json:4: ` */
export function at(place: Place, path: readonly string[]): string {
  const line = place.line(path)
  return line === undefined ? `${place.file}: ` : `${place.file}:${line}: `
}
