import { expect, test } from 'vitest'
import { trustChange } from './trust-change.ts'

const hook = (more: object) => ({ kind: 'hook', name: './own.ts', does: 'hooks', hash: 'h', ...more }) as const

test('changed content is shown as a diff, control characters made visible', () => {
  const change = trustChange(hook({ trustedText: 'one\ntwo', text: 'one\n2\u001b[2K' }))
  expect(change).toBe('@@ line 1 @@\n one\n-two\n+2\\u001b[2K')
})

test('of a long change the number of lines is told that are not shown', () => {
  const change = trustChange(hook({ trustedText: '', text: 'line\n'.repeat(300) })).split('\n')
  expect([change.length, change.at(-1)]).toEqual([201, '@@ 101 more lines are not shown @@'])
})

test.each([{ text: 'new' }, { trustedText: 'old' }])('without both contents (%o) there is no change to show', more => {
  expect(trustChange(hook(more))).toBe('')
})
