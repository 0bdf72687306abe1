import { expect, test } from 'vitest'
import { firstCharacter, lastCharacter } from './characters.ts'

test.each([
  { text: 'abc', first: 'a', last: 'c' },
  { text: '👩‍👩‍👧 family 👍🏽', first: '👩‍👩‍👧', last: '👍🏽' },
  { text: 'e\u0301a\u0300', first: 'e\u0301', last: 'a\u0300' },
  { text: '', first: '', last: '' },
])('$text begins with $first and ends with $last', ({ text, first, last }) => {
  expect([firstCharacter(text), lastCharacter(text)]).toEqual([first, last])
})
