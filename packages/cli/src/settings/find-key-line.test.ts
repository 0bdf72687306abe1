import { expect, test } from 'vitest'
import { findKeyLine } from './find-key-line.ts'

const source = `export default {
  model: 'offline',
  tools: {
    'shell': true,
  },
  middleware: [
    { use: 'todo' },
  ],
}`

test.each([
  { path: ['model'], line: 2 },
  { path: ['tools', 'shell'], line: 4 },
  { path: ['tools', 'fetch'], line: 3 },
  { path: ['middleware', '0', 'use'], line: 6 },
  { path: ['store'], line: undefined },
])('$path is on line $line', ({ path, line }) => {
  expect(findKeyLine(source, path)).toBe(line)
})
