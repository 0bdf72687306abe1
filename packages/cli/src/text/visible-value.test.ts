import { expect, test } from 'vitest'
import { visibleValue } from './visible-value.ts'

test.each([
  { value: 'rm\u001b[2K', is: 'rm\\u001b[2K' },
  { value: 'a\u202eb', is: 'a\\u202eb' },
  { value: 'a\u00adb\u2060c\u3164d\ufe01e', is: 'a\\u00adb\\u2060c\\u3164d\\ufe01e' },
  { value: `x${String.fromCodePoint(0xe0041)}y${String.fromCodePoint(0xe0100)}`, is: 'x\\u{e0041}y\\u{e0100}' },
  { value: 'a ❤️ b', is: 'a ❤️ b' },
  { value: 'two\nlines', is: 'two\nlines' },
  { value: { a: 1 }, is: '{"a":1}' },
  { value: undefined, is: 'undefined' },
])('$value is shown as $is', ({ value, is }) => {
  expect(visibleValue(value)).toBe(is)
})
