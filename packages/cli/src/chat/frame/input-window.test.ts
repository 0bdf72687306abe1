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

test('a tab and what drives a terminal take one column each, and the cursor stays in its place', () => {
  expect(shown('a\tb \x1b[31mred\x9b\x7f\x07!', 12).text).toBe('a b ␛[31mred|\ufffd␡␇!')
})
