import { expect, test } from 'vitest'
import { callTitle, untitledArguments } from './call-title.ts'

test.each([
  { args: { command: 'npm test' }, title: { text: '$ npm test' } },
  { args: { command: 'ls\r\n\nrm -rf ~' }, title: { text: '$ ls\r\n\nrm -rf ~', size: '3 lines' } },
  {
    args: { path: 'src/a.ts' },
    diff: '--- a\n+++ b\n@@ -1 +1,2 @@\n-old\n+new\n+more',
    title: { text: 'src/a.ts', size: '+2 −1' },
  },
  { args: { path: 'a.md', content: 'é'.repeat(1000) }, title: { text: 'a.md', size: '2.0 kB' } },
  { args: { path: 'a.md', text: 'abc' }, title: { text: 'a.md', size: '3 bytes' } },
  { args: { path: 'a.md' }, title: { text: 'a.md' } },
  { args: { command: 'ls\u200b rm' }, title: { text: '$ ls\\u{200b} rm' } },
  { args: { path: 'a\u202eb' }, title: { text: 'a\\u{202e}b' } },
  { args: { a: 1, command: 7 }, title: {} },
  { args: undefined, title: {} },
])('$args is titled $title', ({ args, diff, title }) => expect(callTitle(args, diff)).toEqual(title))

test.each(['ls\nrm -rf ~', 'ls\rrm', 'ls \u001b[8m', 'ls \u202emr', 'ls\u2028rm', 'ls \u200brm'])(
  'the command %j is among the arguments too: its title may not show all of it',
  command => {
    expect(untitledArguments({ command })).toEqual({ command })
    expect(untitledArguments({ path: command })).toEqual({ path: command })
  },
)

test('a command of one plain line, and a path, is in the title only', () => {
  expect(untitledArguments({ command: 'echo "für 🦜"' })).toBeUndefined()
  expect(untitledArguments({ path: 'a b.ts', text: 'x\ny' })).toEqual({ text: 'x\ny' })
})
