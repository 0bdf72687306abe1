import { expect, test } from 'vitest'
import type { ToolItem } from '../transcript/transcript-item.ts'
import { callLine, callTime } from './call-line.ts'

test.each([
  { args: { command: 'ls -la', cwd: '/' }, is: 'ls -la' },
  { args: { path: 'a.ts', text: 'x' }, is: 'a.ts' },
  { args: { pattern: 'TODO', path: 'src', max: 3 }, is: 'TODO in src' },
  { args: { pattern: 'TODO', path: '.' }, is: 'TODO' },
  { args: { pattern: '*.ts' }, is: '*.ts' },
  { args: { to: 1 }, is: '{"to":1}' },
  { args: undefined, is: '' },
  { args: { command: 'ls\u001b[2K' }, is: 'ls\\u001b[2K' },
])('the call of $args is shown as $is', ({ args, is }) => {
  expect(callLine(args, 40)).toBe(is)
})

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
