import { expect, test } from 'vitest'
import { isLongPaste, pasteLabel } from './fold-paste.ts'

test.each([
  { what: 'a sentence', text: 'Hello.', long: false },
  { what: 'forty lines', text: 'a\n'.repeat(40), long: false },
  { what: 'forty-one lines', text: 'a\n'.repeat(41), long: true },
  { what: 'one very long line', text: 'a'.repeat(4001), long: true },
])('$what: folded is $long', ({ text, long }) => expect(isLongPaste(text)).toBe(long))

test('a folded paste is called by its lines, or by its characters', () => {
  expect(pasteLabel(`${'a\n'.repeat(499)}a`)).toBe('Pasted 500 lines')
  expect(pasteLabel('a\n'.repeat(500))).toBe('Pasted 500 lines')
  expect(pasteLabel('a'.repeat(500))).toBe('Pasted 500 characters')
})
