import { expect, test } from 'vitest'
import { placePrefix } from './setting-place.ts'

test('a place has its line where that is known', () => {
  const place = { file: 'a.json', line: ([key]: readonly string[]) => (key === 'model' ? 4 : undefined) }
  expect(placePrefix(place, ['model'])).toBe('a.json:4: ')
  expect(placePrefix(place, ['store'])).toBe('a.json: ')
})
