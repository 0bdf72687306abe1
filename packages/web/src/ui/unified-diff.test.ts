import { expect, test } from 'vitest'
import { unifiedDiff } from './unified-diff.ts'

test('a diff is read line by line; what stands around it stays as it is', () => {
  expect(unifiedDiff('Changed a.ts\n@@ line 3 @@\n kept\n-old\n+new\n')).toEqual([
    { kind: 'place', text: 'Changed a.ts' },
    { kind: 'place', text: '@@ line 3 @@' },
    { kind: 'same', text: 'kept' },
    { kind: 'gone', text: 'old' },
    { kind: 'new', text: 'new' },
    { kind: 'place', text: '' },
  ])
})

test.each([
  { name: 'plain words', text: 'All is well.' },
  { name: 'a list with dashes', text: '- one\n- two\n+ three' },
  { name: 'a mention far down', text: 'a\nb\nc\nd\ne\n@@ line 1 @@\n-x' },
])('$name are no diff', ({ text }) => {
  expect(unifiedDiff(text)).toBeUndefined()
})
