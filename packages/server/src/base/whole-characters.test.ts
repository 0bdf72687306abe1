import { expect, test } from 'vitest'
import { wholeCharacters } from './whole-characters.ts'

test.each([
  { cut: '😀x'.slice(1), is: 'x' },
  { cut: 'x😀'.slice(0, 2), is: 'x' },
  { cut: 'x😀', is: 'x😀' },
])('half a character at an end is left out: $is', ({ cut, is }) => {
  expect(wholeCharacters(cut)).toBe(is)
})
