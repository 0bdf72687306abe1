import { expect, test } from 'vitest'
import { callLine } from './call-line.ts'

test.each([
  { args: { command: 'ls -la', cwd: '/' }, is: 'ls -la' },
  { args: { path: 'a.ts', text: 'x' }, is: 'a.ts' },
  { args: { pattern: 'TODO', path: 'src', max: 3 }, is: 'TODO in src' },
  { args: { pattern: 'TODO', path: '.' }, is: 'TODO' },
  { args: { pattern: '*.ts' }, is: '*.ts' },
  { args: { plan: '1. read\n2. write' }, is: '1. read 2. write' },
  { args: { to: 1 }, is: '{"to":1}' },
  { args: undefined, is: '' },
  { args: { command: 'ls\u001b[2K' }, is: 'ls\\u001b[2K' },
])('the call of $args is shown as $is', ({ args, is }) => {
  expect(callLine(args, 40)).toBe(is)
})
