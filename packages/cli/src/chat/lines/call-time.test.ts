import { expect, test } from 'vitest'
import type { ToolItem } from '../transcript/transcript-item.ts'
import { callTime } from './call-time.ts'

const call = (more: Partial<ToolItem>) =>
  ({ kind: 'tool', id: 'c', name: 'n', args: {}, status: 'running', startedAt: 1000, done: false, ...more }) as ToolItem

test.each([
  { item: call({}), is: '2.0 s' },
  { item: call({ status: 'ok', durationMs: 40 }), is: '40 ms' },
  { item: call({ status: 'waiting' }), is: '' },
  { item: call({ startedAt: 5000 }), is: '0 ms' },
])('a call that is $item.status shows the time $is', ({ item, is }) => {
  expect(callTime(item, 3000)).toBe(is)
})
