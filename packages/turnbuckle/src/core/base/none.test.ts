import { expect, test } from 'vitest'
import { none } from './none.ts'

test('the shared empty list cannot be added to', () => {
  expect(none).toEqual([])
  expect(() => (none as unknown[]).push(1)).toThrow(TypeError)
})
