import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { loadMarkdown, renderMarkdown } from './render-markdown.ts'

beforeAll(loadMarkdown)

const table = `| leg | leave |
|---|---|
| Jersey to *Chausey* | 08:00 |
| Chausey to St. Malo | 13:30 |`
const lines = (text: string, width: number) =>
  stripVTControlCharacters(renderMarkdown(text, width))
    .split('\n')
    .map(line => line.trimEnd())

test('an item that is too long goes on below its own words', () => {
  expect(lines('- one two three four five six', 20)).toEqual(['  * one two three', '    four five six'])
})

test('a table is drawn where there is room for it, and is a list where there is not', () => {
  expect(lines(table, 60)).toContain('│ Jersey to Chausey   │ 08:00 │')
  expect(lines(table, 24)).toEqual([
    'leg: Jersey to Chausey',
    'leave: 08:00',
    '',
    'leg: Chausey to St. Malo',
    'leave: 13:30',
  ])
})
