import { expect, test } from 'vitest'
import { visibleDiff } from './visible-diff.ts'

test('control characters of a diff are to be seen, tabs and line ends are what they are', () => {
  expect(visibleDiff('@@ line 1 @@\r\n-\tone\n+\u001b[2Ktwo\u202e')).toBe('@@ line 1 @@\n-  one\n+\\u001b[2Ktwo\\u202e')
})
