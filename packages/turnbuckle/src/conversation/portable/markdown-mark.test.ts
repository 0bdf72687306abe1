import { expect, test } from 'vitest'
import { mapLines, markdownMark } from './markdown-mark.ts'

test.each([
  { line: '## User', isMark: true },
  { line: '## Assistant (interrupted)', isMark: true },
  { line: '\\\\## User', isMark: true },
  { line: 'Calls `note`:', isMark: true },
  { line: '`note` (ok):', isMark: true },
  { line: '> **Reasoning**', isMark: true },
  { line: '## Users', isMark: false },
  { line: '# User', isMark: false },
  { line: ' ## User', isMark: false },
  { line: 'Calls `note`: now', isMark: false },
  { line: '> quoted', isMark: false },
])('the line $line is a mark of the file: $isMark', ({ line, isMark }) => {
  expect(markdownMark.test(line)).toBe(isMark)
})

test('each line of a text is changed by itself, empty ones too', () => {
  expect(mapLines('a\n\nb', line => `> ${line}`)).toBe('> a\n> \n> b')
})
