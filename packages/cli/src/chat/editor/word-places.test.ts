import { expect, test } from 'vitest'
import { blankWordStart, lastLetterOfWord, nextWordStart, vimWordStart, wordEnd, wordStart } from './word-places.ts'

/** The text with its cursor at `|`. */
const place = (marked: string) => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|') })

test.each([
  { what: 'Alt-B', find: wordStart, from: 'git log src/a.ts|', to: 14 },
  { what: 'Alt-B behind signs', find: wordStart, from: 'git log --|', to: 4 },
  { what: 'Alt-F', find: wordEnd, from: 'git| log', to: 7 },
  { what: 'Ctrl-W', find: blankWordStart, from: 'cat src/a.ts  |', to: 4 },
  { what: 'w', find: nextWordStart, from: '|a.b c', to: 1 },
  { what: 'e', find: lastLetterOfWord, from: '|one two', to: 2 },
  { what: 'e at the end', find: lastLetterOfWord, from: 'on|e', to: 2 },
  { what: 'b', find: vimWordStart, from: 'one --two|', to: 6 },
  { what: 'Alt-B over an accent', find: wordStart, from: 'ça été|', to: 3 },
])('$what in $from goes to $to', ({ find, from, to }) => {
  expect(find(place(from))).toBe(to)
})
