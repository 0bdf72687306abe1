import { expect, test } from 'vitest'
import { callGist } from './call-gist.ts'

test.each([
  { args: { path: 'a.txt', lines: [1, 2] }, gist: 'a.txt [1,2]' },
  { args: { command: 'npm test\n  --all' }, gist: '$ npm test --all' },
  { args: 'half of it', gist: 'half of it' },
  { args: undefined, gist: '' },
  { args: { text: 'x'.repeat(500) }, gist: 'x'.repeat(120) },
])('$args on one line', ({ args, gist }) => {
  expect(callGist(args)).toBe(gist)
})
