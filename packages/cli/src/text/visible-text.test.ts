import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test.each([
  { value: 'rm\u001b[2K', is: 'rm\\u001b[2K' },
  { value: 'a\u202eb', is: 'a\\u202eb' },
  { value: 'two\nlines', is: 'two\nlines' },
  { value: { a: 1 }, is: '{"a":1}' },
  { value: undefined, is: 'undefined' },
])('$value is shown as $is', ({ value, is }) => {
  expect(visibleText(value)).toBe(is)
})
