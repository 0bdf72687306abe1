import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cutBlock } from './cut-block.ts'
import { loadMarkdown } from './render-markdown.ts'

beforeAll(() => {
  vi.stubEnv('FORCE_COLOR', '1')
  return loadMarkdown()
})
afterAll(() => vi.unstubAllEnvs())

/** What is before the cut, and what comes after it. */
const parts = (text: string, width = 20) => {
  const cut = cutBlock(text, width)
  return cut && [text.slice(0, cut.length), cut.opening + text.slice(cut.length), cut.isApart]
}

test.each([
  { what: 'a paragraph before its last line', head: 'Words that are more ', rest: 'than one line' },
  { what: 'emphasis that is closed', head: 'Some **bold** words that ', rest: 'make two lines' },
  { what: 'a line with weight that ends in a space', head: 'Some **bold** words and ', rest: 'others there are' },
  { what: 'a note in brackets', head: 'As said in [1] by ', rest: 'some who know it' },
  { what: 'names with underscores', head: 'The name a_long_name ', rest: 'is what it is' },
  { what: 'a link', head: 'See [it](https://a.b) ', rest: 'and other words' },
  { what: 'a list before its last item', head: '- one\n- two\n', rest: '- three' },
  { what: 'a list of numbers', head: '1. one\n2. two\n', rest: '3. three' },
  { what: 'a list in a quote', head: '> - one\n', rest: '> - two' },
  { what: 'a list with blank lines', head: '- one\n\n', rest: '- two', isApart: true },
])('$what is cut', ({ head, rest, isApart = false }) => {
  expect(parts(head + rest)).toEqual([head, rest, isApart])
})

test('code is cut before its last line, and its rest is opened again', () => {
  expect(parts('```ts\nconst a = 1\nconst b')).toEqual(['```ts\nconst a = 1\n', '```ts\nconst b', false])
  expect(parts('~~~\na\nb\n~~')).toEqual(['~~~\na\n', '~~~\nb\n~~', false])
})

test.each([
  { what: 'emphasis that may be closed later', text: 'Here **it begins to be bold and does not end' },
  { what: 'a link that is being written', text: 'See [the manual that has many pages of words' },
  { what: 'code that is being written', text: 'Here `code that is longer than one line is' },
  { what: 'emphasis over all lines', text: '**bold words that are more than one line of it**' },
  { what: 'a rest that would be a list', text: 'Nineteen letters are - not a list' },
  { what: 'a comment over lines of code', text: '```ts\n/* one\ntwo\nthree' },
  { what: 'a table', text: '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |' },
  { what: 'an item with items of its own', text: '- top\n  - one\n  - two' },
  { what: 'a quote of two paragraphs', text: '> one\n>\n> two' },
  { what: 'indented code', text: '    one\n    two\n    three' },
  { what: 'one line', text: 'one line' },
  { what: 'two blocks', text: 'one\n\ntwo' },
  { what: 'nothing', text: '' },
])('$what is not cut', ({ text }) => {
  expect(parts(text)).toBeUndefined()
})
