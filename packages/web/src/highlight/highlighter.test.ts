import { expect, test } from 'vitest'
import { loadHighlight } from './highlighter.ts'

const kinds = (lines: readonly (readonly { text: string; kind?: string }[])[]) =>
  lines.map(line => line.map(({ text, kind }) => `${kind ?? ''}:${text}`).join(' '))

test('pieces carry the kind that decides their colour, and an open comment goes on in the lines after', async () => {
  const highlight = await loadHighlight('typescript')
  const first = highlight('const a = "b" /* open', undefined)
  expect(kinds(first.lines)[0]).toMatch(/^keyword:const .*string-expression:"b".*comment:\/\* open$/)
  expect(kinds(highlight('still', first.after).lines)).toEqual(['comment:still'])
})

test('lines of a diff are inserted or deleted', async () => {
  const highlight = await loadHighlight('diff')
  expect(kinds(highlight('+new\n-old', undefined).lines).join()).toMatch(/inserted.*deleted/)
})

test('a line of more than 1,000 characters is left in one colour', async () => {
  const highlight = await loadHighlight('json')
  const [line] = highlight(JSON.stringify(Array.from({ length: 1000 }, () => 1)), undefined).lines
  expect(line).toHaveLength(1)
})
