import { expect, test } from 'vitest'
import { notImportable } from './not-importable.ts'

test('a refused file is one error code, and its message says why', () => {
  expect(notImportable('it is empty')).toMatchObject({
    code: 'import.invalid',
    message: 'This conversation cannot be imported: it is empty.',
  })
})
