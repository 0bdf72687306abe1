import { expect, test } from 'vitest'
import { titleFromText } from './title-from-text.ts'

test.each([
  { what: 'a short message', text: 'Hello Ada', is: 'Hello Ada' },
  { what: 'several lines in one', text: ' one\n\ntwo\tthree ', is: 'one two three' },
  { what: 'whole words', text: 'lorem ipsum '.repeat(10), is: `${'lorem ipsum '.repeat(6)}lorem …` },
  { what: 'a part of a word without end', text: 'x'.repeat(100), is: `${'x'.repeat(80)} …` },
  { what: 'of whole characters', text: `x${'😀'.repeat(50)}`, is: `x${'😀'.repeat(39)} …` },
  {
    what: 'the words before a long paste',
    text: `Why does this fail?\n\n${'at x\n'.repeat(99)}`,
    is: 'Why does this fail?',
  },
  { what: 'one word before a long paste', text: `Summarise\n\n${'one two '.repeat(99)}`, is: 'Summarise' },
  {
    what: 'a greeting and what follows',
    text: `Hello,\n\nwhere is the harbour?\n\n${'one two '.repeat(99)}`,
    is: 'Hello, where is the harbour?',
  },
])('a title is $what', ({ text, is }) => {
  expect(titleFromText(text)).toBe(is)
})
