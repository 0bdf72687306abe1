import { expect, test } from 'vitest'
import { checkSetting } from './check-setting.ts'
import { anything, boolean, count, list, map, number, object, oneOf, type SettingShape, text } from './setting-shape.ts'

const place = { file: 'f', line: () => undefined }
const check = (value: unknown, shape: SettingShape) => () => checkSetting(value, shape, place)

test.each([
  { shape: text, fits: 'a', not: 1, says: 'must be text, not 1.' },
  { shape: boolean, fits: false, not: 'no', says: 'must be true or false, not "no".' },
  { shape: number, fits: -1.5, not: Number.NaN, says: 'must be a number' },
  { shape: count, fits: 1, not: 0, says: 'must be a whole number of at least 1, not 0.' },
  { shape: oneOf(true, 'read'), fits: 'read', not: false, says: 'must be true, "read", not false.' },
  { shape: list(text), fits: ['a'], not: 'a', says: 'must be a list [ … ]' },
  { shape: map(text), fits: { a: 'b' }, not: [], says: 'must be an object { … }' },
  { shape: anything, fits: null, not: undefined, says: undefined },
])('$shape.is takes $fits and not $not', ({ shape, fits, not, says }) => {
  expect(check(fits, shape)).not.toThrow()
  if (says !== undefined) expect(check(not, shape)).toThrow(`f: the settings ${says}`)
})

const entry = object({ use: text, options: object({ max: count }) }, 'use')

test.each([
  { value: { use: 'a', optoins: {} }, says: 'f: unknown key "optoins". Did you mean "options"?' },
  { value: { use: 'a', options: { max: 0 } }, says: 'f: "options.max" must be a whole number' },
  { value: { options: {} }, says: 'f: "use" is missing.' },
  { value: JSON.parse('{ "use": "a", "toString": 1 }') as object, says: 'f: unknown key "toString".' },
])('$says', ({ value, says }) => {
  expect(check(value, entry)).toThrow(says)
})
