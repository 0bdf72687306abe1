import type { Event } from 'turnbuckle'
import { expect, test } from 'vitest'
import { retryLine, retryNote } from './retry-note.ts'

const told = (event: object) => retryNote({ at: 1, ...event } as unknown as Event)

test.each([
  { error: 'The connection was cut', line: 'The connection was cut. It is tried again in 3 s.' },
  { error: 'Slow\n down.', line: 'Slow down. It is tried again in 3 s.' },
])('a wait for another attempt in a line: $line', ({ error, line }) => {
  const note = told({ type: 'retry.waiting', attempt: 1, delayMs: 2100, error })
  expect(note && retryLine(note)).toBe(line)
})

test('other events are no such wait', () => {
  expect(told({ type: 'usage' })).toBeUndefined()
})
