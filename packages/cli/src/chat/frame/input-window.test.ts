import { expect, test } from 'vitest'
import { inputWindow } from './input-window.ts'

/** The shown part, with the cursor as a bar. */
const shown = (text: string, cursor: number, columns = 20, rows = 3) => {
  const { editor, ...rest } = inputWindow({ text, cursor }, columns, rows)
  return { text: `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`, ...rest }
}
const lines = 'a1\nb2\nc3\nd4\ne5'

test.each([
  { what: 'all of it where it fits', text: 'a1\nb2', cursor: 1, is: { text: 'a|1\nb2', lines: 2, above: 0, below: 0 } },
  { what: 'the end', text: lines, cursor: 14, is: { text: 'c3\nd4\ne5|', lines: 3, above: 2, below: 0 } },
  { what: 'the beginning', text: lines, cursor: 0, is: { text: '|a1\nb2\nc3', lines: 3, above: 0, below: 2 } },
  { what: 'the middle', text: lines, cursor: 6, is: { text: 'b2\n|c3\nd4', lines: 3, above: 1, below: 1 } },
  { what: 'the end of a line', text: lines, cursor: 8, is: { text: 'b2\nc3|\nd4', lines: 3, above: 1, below: 1 } },
])('a window on what is written shows $what', ({ text, cursor, is }) => {
  expect(shown(text, cursor)).toEqual(is)
})

test('one long line is several of the screen', () => {
  expect(shown('abcdefghijkl', 12, 3, 2)).toEqual({ text: 'ghi\njkl|', lines: 2, above: 2, below: 0 })
  expect(shown('abcdefghijkl', 4, 3, 2)).toEqual({ text: 'abc\nd|ef', lines: 2, above: 0, below: 2 })
})

test.each([
  { text: 'a\tbc', cursor: 3, is: 'a b|c' },
  { text: 'a \x1b[31mred\x1b]0;title\x07 end', cursor: 23, is: 'a red en|d' },
  { text: 'a \x1b[31mred', cursor: 1, is: 'a| red' },
  { text: 'a\x1b]0;title\x07', cursor: 7, is: 'a|' },
])('the cursor in $text stands behind what is seen before it', ({ text, cursor, is }) => {
  expect(shown(text, cursor).text).toBe(is)
})
