import { expect, test } from 'vitest'
import { inList } from './in-list.ts'

test('the newest conversation comes first, those of one moment by id', () => {
  const places = [
    { id: 'b', updatedAt: 1 },
    { id: 'c', updatedAt: 2 },
    { id: 'a', updatedAt: 1 },
  ]
  expect(places.toSorted(inList).map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})
