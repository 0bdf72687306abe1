import { expect, test } from 'vitest'
import { wrapDiff } from './wrap-diff.ts'

test('a line that is too long goes on in the next, with its sign', () => {
  expect(wrapDiff('@@ line 1 @@\n-short\n+one two three four\n', 14)).toBe(
    '@@ line 1 @@\n-short\n+one two \n+↳three four',
  )
})
