import { expect, test } from 'vitest'
import { callTitle } from './call-title.ts'

test.each([
  { args: { command: 'npm test' }, title: { text: '$ npm test' } },
  {
    args: { path: 'src/a.ts' },
    diff: '--- a\n+++ b\n@@ -1 +1,2 @@\n-old\n+new\n+more',
    title: { text: 'src/a.ts', size: '+2 −1' },
  },
  { args: { path: 'a.md', content: 'é'.repeat(1000) }, title: { text: 'a.md', size: '2.0 kB' } },
  { args: { path: 'a.md', text: 'abc' }, title: { text: 'a.md', size: '3 bytes' } },
  { args: { path: 'a.md' }, title: { text: 'a.md' } },
  { args: { a: 1, command: 7 }, title: {} },
  { args: undefined, title: {} },
])('$args is titled $title', ({ args, diff, title }) => expect(callTitle(args, diff)).toEqual(title))
