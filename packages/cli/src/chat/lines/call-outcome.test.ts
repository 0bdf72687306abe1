import { expect, test } from 'vitest'
import { callOutcome } from './call-outcome.ts'

test.each([
  { name: 'shell', status: 'ok', result: 'out\n[exit code 3]', outcome: 'failed' },
  { name: 'shell', status: 'ok', result: '[ended before it was done: SIGTERM]', outcome: 'interrupted' },
  { name: 'shell', status: 'ok', result: 'out', outcome: 'ok' },
  { name: 'read_file', status: 'ok', result: 'text\n[exit code 3]', outcome: 'ok' },
  { name: 'shell', status: 'denied', result: 'no', outcome: 'denied' },
])('$name with $result is $outcome', ({ outcome, ...item }) => {
  expect(callOutcome(item)).toBe(outcome)
})
