import { expect, test } from 'vitest'
import { isAllowed } from './is-allowed.ts'

test.each([
  { given: { decision: 'allow' }, is: true },
  { given: { decision: 'deny' }, is: false },
  { given: {}, is: false },
])('$given is yes: $is', ({ given, is }) => {
  expect(isAllowed(given)).toBe(is)
})
