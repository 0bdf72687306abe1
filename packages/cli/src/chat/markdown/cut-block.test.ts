import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { cutBlock } from './cut-block.ts'
import { loadMarkdown, renderMarkdown } from './render-markdown.ts'

beforeAll(() => {
  vi.stubEnv('FORCE_COLOR', '1')
  return loadMarkdown()
})
afterAll(() => vi.unstubAllEnvs())

/** What is before the cut, and what comes after it. */
const parts = (text: string, width = 20, isLong = false) => {
  const cut = cutBlock({ text, opening: '', width }, isLong)
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
])('$what is cut only where the block is long', ({ text }) => {
  expect(parts(text)).toBeUndefined()
  expect(parts(text, 20, true)).toBeDefined()
})

test.each([
  { what: 'a rest that would be a list', text: 'Nineteen letters are - not a list' },
  { what: 'one line', text: 'one line' },
  { what: 'two blocks', text: 'one\n\ntwo' },
  { what: 'nothing', text: '' },
])('$what is not cut', ({ text }) => {
  expect(parts(text)).toBeUndefined()
})

/** The block as it is drawn, and as its two parts are drawn one after the other. */
const drawn = (text: string, width = 20, isLong = false) => {
  const cut = cutBlock({ text, opening: '', width }, isLong)
  const head = text.slice(0, cut?.length ?? 0)
  const around = { opening: '', closing: cut?.closing ?? '' }
  return [
    ...renderMarkdown(head, width, around),
    ...(cut?.isApart ? [''] : []),
    ...renderMarkdown(text.slice(head.length), width, { opening: cut?.opening ?? '' }),
  ].map(shown)
}
const shown = (line: string) => stripVTControlCharacters(line).trimEnd()

test.each([
  { what: 'emphasis over all lines', text: '**bold words that are more than one line of it**' },
  { what: 'emphasis in emphasis', text: '**bold words that *are more* than one line of it**' },
  { what: 'inline code over lines', text: 'Call `a long line of code` for it' },
  { what: 'a comment over lines of code', text: '```ts\n/* one\ntwo\nthree' },
  { what: 'a table', text: '| a | b |\n|---|---|\n| 1 wide | 2 |\n| 3 | 4 |' },
  { what: 'a table without outer lines', text: 'a | b\n--|--\n1 | 2\n3 | 4' },
  {
    what: 'a table that is drawn as a list',
    text: `| a | b | c |\n|---|---|---|\n${'| word word | more words | yet more |\n'.repeat(2)}`,
  },
  { what: 'an item with items of its own', text: '- top\n  - one\n  - two' },
  { what: 'items three deep', text: '1. top\n   - one\n     - deep\n     - deeper' },
  { what: 'an item of many words', text: '- an item whose words make two lines' },
  { what: 'a deep item of many words', text: '- top\n  - one whose **words make** two lines' },
  { what: 'a deep item that ends in a space', text: '- top\n  - one whose words make two ' },
  { what: 'code in an item', text: '1. run this\n\n   ```sh\n   ls -l\n   pwd\n   cd' },
  { what: 'an item of two paragraphs', text: '- one\n\n  two words\n\n  three words' },
  { what: 'the second paragraph of a quote', text: '> one\n>\n> two whose words make two lines' },
  { what: 'a quote of many words', text: '> one whose words make two lines' },
  { what: 'a list whose numbers become longer', text: '8. a\n9. b\n10. c' },
])('$what is cut without a trace', ({ text }) => {
  expect(parts(text)).toBeDefined()
  expect(drawn(text)).toEqual(renderMarkdown(text, 20).map(shown))
})

test('the rest of a table has columns as wide as those that are printed', () => {
  const text = '| a | b |\n|---|---|\n| a wide cell | 2 |\n| 3 | 4 |\n| 5 | 6 |'
  const cut = cutBlock({ text, opening: '', width: 40 })
  const rest = renderMarkdown(text.slice(cut?.length), 40, { opening: cut?.opening ?? '' })
  expect(rest.map(shown)).toEqual(['│ 5           │ 6 │', '└─────────────┴───┘'])
})

test('a rest is cut again where an earlier cut has opened it', () => {
  const text = '- top\n  - one\n  - two\n  - three'
  const first = cutBlock({ text, opening: '', width: 20 })
  const rest = `${text.slice(first?.length)}\n  - four`
  const second = cutBlock({ text: rest, opening: first?.opening ?? '', width: 20 })
  expect(rest.slice(0, second?.length)).toBe('  - three\n')
  expect(renderMarkdown(rest.slice(second?.length), 20, { opening: second?.opening ?? '' }).map(shown)).toEqual([
    '  • four',
  ])
})
