import type { Tokens } from 'marked'
import { beforeAll, expect, test } from 'vitest'
import { hiddenMark } from './hidden-mark.ts'
import { loadMarkdown, markdownBlocks } from './render-markdown.ts'
import { tableRowCuts } from './table-row-cuts.ts'

beforeAll(loadMarkdown)

test('a table is cut before its rows; the rest begins with its head and its widest cells, hidden', () => {
  const source = '| a | b |\n|---|---|\n| wide cell | 1 |\n| 2 | 3 |\n| 4 | 5 |'
  const places = tableRowCuts(markdownBlocks(source)[0] as Tokens.Table, source)
  expect(places.map(({ length }) => source.slice(length).split('\n')[0])).toEqual([
    '| wide cell | 1 |',
    '| 2 | 3 |',
    '| 4 | 5 |',
  ])
  expect(places.at(-1)?.opening).toBe(`|${hiddenMark} a | b |\n|---|---|\n|${hiddenMark} wide cell | 1 |\n`)
})
