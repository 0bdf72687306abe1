import { expect, test } from 'vitest'
import { oneLine } from './one-line.ts'

test.each([
  { text: ' a\n\tb  c ', width: 10, is: 'a b c' },
  { text: 'abcdef', width: 6, is: 'abcdef' },
  { text: 'abcdefg', width: 6, is: 'abcde…' },
  { text: '\u001b[2Ja\u0007', width: 10, is: 'a' },
])('$text in $width columns is $is', ({ text, width, is }) => {
  expect(oneLine(text, width)).toBe(is)
})
