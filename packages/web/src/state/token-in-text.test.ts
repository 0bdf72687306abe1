import { expect, test } from 'vitest'
import { tokenInText } from './token-in-text.ts'

test.each([
  { text: 'http://127.0.0.1:4000/#token=abc', token: 'abc' },
  { text: 'Open http://x/#token=abc in a browser', token: 'abc' },
  { text: 'http://x/#token=abc&more=1', token: 'abc' },
  { text: '  abc\n', token: 'abc' },
  { text: ' ', token: '' },
])('the token of "$text" is "$token"', ({ text, token }) => expect(tokenInText(text)).toBe(token))
