import { expect, test } from 'vitest'
import { notFound } from './not-found.ts'

test('the error names the kind and at most 300 characters of the id', () => {
  const { code, message } = notFound('turn', 'x'.repeat(1000))
  expect(code).toBe('turn.missing')
  expect(message).toBe(`There is no turn "${'x'.repeat(300)}" here.`)
})
