import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { textColumns, wrapHanging, wrapText } from './wrap-text.ts'

test.each([
  ['abc', 3],
  ['“a” — ─ ✓', 9],
  ['麺包', 4],
  ['e\u0301', 1],
  ['❤️', 2],
  ['\x1b[1mbold\x1b[22m', 4],
])('%j takes %i columns', (text, columns) => {
  expect(textColumns(text)).toBe(columns)
})

test.each([
  { text: 'one two three', is: ['one two ', 'three'] },
  { text: 'abcdefghijkl', is: ['abcdefgh', 'ijkl'] },
  { text: '麺包麺包麺', is: ['麺包麺包', '麺'] },
  { text: 'a\nb', is: ['a', 'b'] },
])('nothing of $text is left out', ({ text, is }) => {
  expect(wrapText(text, 8)).toEqual(is)
})

test.each([
  { what: 'an item', text: '  * one two three', is: ['  * one two ', '    three'] },
  { what: 'a numbered item', text: '1. one two three', is: ['1. one two ', '   three'] },
  { what: 'indented text', text: '  alpha beta gamma', is: ['  alpha beta', '  gamma'] },
  { what: 'other text', text: 'alpha beta gamma', is: ['alpha beta ', 'gamma'] },
])('$what goes on below its own beginning', ({ text, is }) => {
  expect(wrapHanging(text, 12)).toEqual(is)
})

test('a colour goes on in the next line, one that has ended does not', () => {
  expect(wrapHanging('\x1b[1mone two three', 8)).toEqual(['\x1b[1mone two \x1b[0m', '\x1b[1mthree'])
  expect(wrapHanging('\x1b[1mone\x1b[0m two three', 8)).toEqual(['\x1b[1mone\x1b[0m two \x1b[0m', 'three'])
  expect(wrapHanging('\x1b[1mone\x1b[22m two three', 8)).toEqual(['\x1b[1mone\x1b[22m two \x1b[0m', 'three'])
  expect(wrapHanging('\x1b[1m\x1b[33mone\x1b[39m two three', 8)[1]).toBe('\x1b[1mthree')
  expect(wrapHanging('\x1b[38;5;9mone \x1b[2mtwo three', 8)[1]).toBe('\x1b[38;5;9m\x1b[2mthree')
})

test('many colours before a word do not move the place where its line is cut', () => {
  const colours = '\x1b[1m\x1b[22m'.repeat(9)
  expect(wrapHanging(`one ${colours}two three`, 8).map(line => stripVTControlCharacters(line))).toEqual([
    'one two ',
    'three',
  ])
  expect(wrapHanging(`a bcdefgh${colours} i`, 8).map(line => stripVTControlCharacters(line))).toEqual([
    'a bcdefg',
    'h i',
  ])
})

test('text of which nothing may be lost has no line that begins with the space between two words', () => {
  expect(wrapText('aaa bbb cc ddd', 10)).toEqual(['aaa bbb ', 'cc ddd'])
  expect(wrapText('aaa bbb cc ddd', 7)).toEqual(['aaa ', 'bbb cc ', 'ddd'])
})
