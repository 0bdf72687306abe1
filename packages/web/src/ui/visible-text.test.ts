import { expect, test } from 'vitest'
import { visibleText } from './visible-text.ts'

test.each([
  { text: 'rm \u202egpj.a', is: 'rm \\u{202e}gpj.a' },
  { text: 'a\u200bb\u00adc\u3164d', is: 'a\\u{200b}b\\u{ad}c\\u{3164}d' },
  { text: `x${String.fromCodePoint(0xe0041)}`, is: 'x\\u{e0041}' },
  { text: 'ls \u001b[8m', is: 'ls \\u{1b}[8m' },
  { text: 'two\r\n\tlines ❤️ für 🦜', is: 'two\r\n\tlines ❤️ für 🦜' },
])('$text is shown as $is', ({ text, is }) => expect(visibleText(text)).toBe(is))
