import { expect, test } from 'vitest'
import { readFallback, termsOf } from './request.ts'

test('the word of a permission becomes a decision; other fallbacks stay as they are', () => {
  expect(readFallback('permission', 'deny')).toEqual({ decision: 'deny', reason: 'Nobody answered in time.' })
  expect(readFallback('permission', { decision: 'allow' })).toEqual({ decision: 'allow' })
  expect(readFallback('colour', 'red')).toBe('red')
})

test('the terms of a request are those that it has', () => {
  expect(termsOf({ deadline: undefined, to: ['lead'], schema: undefined })).toEqual({ to: ['lead'] })
})
