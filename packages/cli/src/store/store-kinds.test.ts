import { expect, test } from 'vitest'
import { pathIn, storeForms, storeKindOf, withPath } from './store-kinds.ts'

test.each([
  ['sqlite:a.db', 'file'],
  ['memory:', 'process'],
  ['postgres://host/db', 'elsewhere'],
  ['postgresql://host/db', 'elsewhere'],
  ['sqlite:', undefined],
  ['memory:x', undefined],
  ['redis://host', undefined],
])('%s is a store in this place: %s', (address, place) => {
  expect(storeKindOf(address)?.place).toBe(place)
})

test('an error message can name every kind', () => {
  expect(storeForms).toBe('"sqlite:FILE", "memory:" or "postgres://…"')
})

test('a path is all behind the first colon, and can be put in place of another', () => {
  expect(pathIn('sqlite:C:/a.db')).toBe('C:/a.db')
  expect(withPath('sqlite:a.db', '/b.db')).toBe('sqlite:/b.db')
})
