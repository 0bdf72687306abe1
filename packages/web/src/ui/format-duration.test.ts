import { expect, test } from 'vitest'
import { formatDuration } from './format-duration.ts'

test.each([
  { ms: 0.4, is: '<1 ms' },
  { ms: 999, is: '999 ms' },
  { ms: 1500, is: '1.5 s' },
  { ms: 61_000, is: '1 m 1 s' },
])('$ms ms are $is', ({ ms, is }) => expect(formatDuration(ms)).toBe(is))
