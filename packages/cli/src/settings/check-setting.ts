import { suggestNearest } from '../errors/suggest-nearest.ts'
import { UserError } from '../errors/user-error.ts'

import { placePrefix, type SettingPlace } from './setting-place.ts'
import type { SettingShape } from './setting-shape.ts'

const numbers = {
  number: { fits: Number.isFinite, words: 'a number' },
  amount: { fits: (value: number) => Number.isFinite(value) && value >= 0, words: 'a number of at least 0' },
  count: { fits: (value: number) => Number.isInteger(value) && value > 0, words: 'a whole number of at least 1' },
} as const

/** Words for the value that a shape expects; undefined where the value fits. */
function unlike(value: unknown, shape: SettingShape): string | undefined {
  switch (shape.is) {
    case 'text':
      return typeof value === 'string' ? undefined : 'text'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'number':
    case 'amount':
    case 'count':
      return typeof value === 'number' && numbers[shape.is].fits(value) ? undefined : numbers[shape.is].words
    case 'one of':
      return shape.values.includes(value) ? undefined : shape.values.map(one => JSON.stringify(one)).join(', ')
    case 'list':
      return Array.isArray(value) ? undefined : 'a list [ … ]'
    default:
      return undefined
  }
}

/** Throws a `UserError` at the first value that does not fit: file, line, key, and the nearest known one. */
export function checkSetting(
  value: unknown,
  shape: SettingShape,
  place: SettingPlace,
  path: readonly string[] = [],
): void {
  const expected = unlike(value, shape)
  if (expected !== undefined) throw misfit(value, expected, place, path)
  if (shape.is === 'list')
    for (const [i, item] of (value as readonly unknown[]).entries())
      checkSetting(item, shape.of, place, [...path, String(i)])
  if (shape.is === 'map')
    for (const [key, item] of entries(value, place, path)) checkSetting(item, shape.of, place, [...path, key])
  if (shape.is === 'object') checkObject(value, shape, place, path)
}

function checkObject(
  value: unknown,
  shape: SettingShape & { is: 'object' },
  place: SettingPlace,
  path: readonly string[],
): void {
  const given = entries(value, place, path)
  for (const [key, item] of given) {
    const inner = shape.keys[key]
    if (!inner || !Object.hasOwn(shape.keys, key))
      throw new UserError(
        `${placePrefix(place, [...path, key])}unknown key "${[...path, key].join('.')}". ${suggestNearest(key, Object.keys(shape.keys))}`,
      )
    if (item !== undefined) checkSetting(item, inner, place, [...path, key])
  }
  const missing = (shape.needs ?? []).find(key => !given.some(([name]) => name === key))
  if (missing !== undefined)
    throw new UserError(`${placePrefix(place, path)}"${[...path, missing].join('.')}" is missing.`)
}

function entries(value: unknown, place: SettingPlace, path: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw misfit(value, 'an object { … }', place, path)
  return Object.entries(value)
}

const misfit = (value: unknown, expected: string, place: SettingPlace, path: readonly string[]): UserError =>
  new UserError(
    `${placePrefix(place, path)}${path.length ? `"${path.join('.')}"` : 'the settings'} must be ${expected}, not ${shown(value)}.`,
  )

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60)
