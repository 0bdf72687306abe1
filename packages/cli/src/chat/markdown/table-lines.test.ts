import { stripVTControlCharacters } from 'node:util'
import { marked, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { tableLines } from './table-lines.ts'

const lines = (text: string, width: number) =>
  tableLines(marked.lexer(text)[0] as Tokens.Table, width).map(line => stripVTControlCharacters(line))

test('columns are as wide as their widest cell, and aligned as the table says', () => {
  expect(lines('| a | b | c |\n|:-|:-:|-:|\n| one | two2 | 3 |\n| x | y | 400 |', 40)).toEqual([
    '┌─────┬──────┬─────┐',
    '│ a   │  b   │   c │',
    '├─────┼──────┼─────┤',
    '│ one │ two2 │   3 │',
    '│ x   │  y   │ 400 │',
    '└─────┴──────┴─────┘',
  ])
})

test('a cell has the lines that <br> makes of it, and is as wide as the longest', () => {
  expect(lines('| k | v |\n|-|-|\n| a | one<br>two<BR/>three |', 40)).toEqual([
    '┌───┬───────┐',
    '│ k │ v     │',
    '├───┼───────┤',
    '│ a │ one   │',
    '│   │ two   │',
    '│   │ three │',
    '└───┴───────┘',
  ])
})

test('the widest column gives way first, and its cells are wrapped', () => {
  const drawn = lines('| k | v |\n|-|-|\n| one | a text that is longer than its column |', 28)
  expect(drawn.every(line => line.length <= 28)).toBe(true)
  expect(drawn.filter(line => line.includes('one'))).toHaveLength(1)
  expect(drawn.length).toBeGreaterThan(5)
})

test('where not even narrow columns fit, each row is a list of its cells by name', () => {
  const row = '| name of it | another name | third name |\n|-|-|-|\n| some long text | more long text | still more |'
  expect(lines(row, 24).map(line => line.trimEnd())).toEqual([
    'name of it: some long',
    'text',
    'another name: more long',
    'text',
    'third name: still more',
  ])
})
