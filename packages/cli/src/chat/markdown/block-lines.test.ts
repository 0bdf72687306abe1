import { stripVTControlCharacters } from 'node:util'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { blockLines } from './block-lines.ts'

const lines = (text: string, width = 30) =>
  blockLines(marked.lexer(text), width).map(line => stripVTControlCharacters(line).trimEnd())

test('a blank line stands between blocks, and none before the first or for what is not shown', () => {
  expect(lines('# One\n\ntext\n\n[a]: https://a.example\n\n***')).toEqual(['One', '', 'text', '', '─'.repeat(30)])
})

test('a space after the last word of a full line makes no line of its own', () => {
  expect(lines(`${'w'.repeat(30)} `)).toEqual(['w'.repeat(30)])
})

test('code is indented and wrapped by characters, its tabs as spaces', () => {
  expect(lines('```\n\tif (a)\n```')).toEqual(['      if (a)'])
  expect(lines(`\`\`\`\n${'x'.repeat(40)}\n\`\`\``)).toEqual([`  ${'x'.repeat(28)}`, `  ${'x'.repeat(12)}`])
})

test('a quote has a bar at every line, also around other blocks', () => {
  expect(lines('> one\n>\n> - two')).toEqual(['│ one', '│', '│ • two'])
})

test('numbers of a list stand below each other, and go on below their own words', () => {
  expect(lines('9. nine\n10. ten ten ten ten ten ten ten', 20)).toEqual([
    ' 9. nine',
    '10. ten ten ten ten',
    '    ten ten ten',
  ])
})

test('HTML is shown as it is written', () => {
  expect(lines('<b>bold</b>\n')).toEqual(['<b>bold</b>'])
  expect(lines('<div>\na\n</div>')).toEqual(['<div>', 'a', '</div>'])
})
