import { expect, test } from 'vitest'
import { UserError } from './user-error.ts'

test('bad usage ends with 2 unless it is said otherwise', () => {
  expect(new UserError('no').exitCode).toBe(2)
  expect(new UserError('no', 1).exitCode).toBe(1)
})
