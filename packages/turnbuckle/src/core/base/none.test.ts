import { expect, test } from 'vitest'
import { none } from './lists.ts'

test('the shared empty list cannot be added to', () => {
  expect(none).toEqual([])
  expect(Reflect.set(none, 0, 'more')).toBe(false)
  expect(none).toHaveLength(0)
})
