import { expect, test } from 'vitest'
import { titleFromMessage, titleFromText } from './title-from-text.ts'

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
  {
    what: 'a short order and the beginning of what it is about',
    text: `Summarise\n\n${'one two '.repeat(99)}`,
    is: `Summarise ${'one two '.repeat(8)}one …`,
  },
  {
    what: 'what follows a greeting on a line of its own',
    text: `Hello\n\nour harbour office needs a plan for the winter.\n\n${'one two '.repeat(99)}`,
    is: 'Hello our harbour office needs a plan for the winter.',
  },
  {
    what: 'a greeting and what follows',
    text: `Hello,\n\nwhere is the harbour?\n\n${'one two '.repeat(99)}`,
    is: 'Hello, where is the harbour?',
  },
])('a title is $what', ({ text, is }) => {
  expect(titleFromText(text)).toBe(is)
})

test('the title of a message is its first text: the output of a command that went with it is none', () => {
  const text = (words: string) => ({ type: 'text', text: words }) as const
  const file = { type: 'file', mediaType: 'image/png', data: '' } as const
  expect(titleFromMessage({ content: [file, text('Why?'), text('\n\nI ran ls: noise')] })).toBe('Why?')
  expect(titleFromMessage(undefined)).toBe('')
})
