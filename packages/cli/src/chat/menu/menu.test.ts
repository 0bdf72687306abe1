import { expect, test } from 'vitest'
import { editorWith } from '../editor/editor.ts'
import { fileMark, menuFor, moveChoice, takeChoice } from './menu.ts'

const sources = {
  commands: ['/help', '/tree', '/trace', '/retry'].map(text => ({ text, does: '' })),
  files: (query: string) => ['src/a.ts', 'a file.txt'].filter(path => path.includes(query)),
}
const items = (text: string) => menuFor(editorWith(text), sources)?.items.map(item => item.text)

test.each([
  { text: '/', shows: ['/help', '/tree', '/trace', '/retry'] },
  { text: '/tr', shows: ['/tree', '/trace', '/retry'] },
  { text: '/x', shows: undefined },
  { text: '/tree now', shows: undefined },
  { text: 'say /tr', shows: undefined },
  { text: 'look at @src', shows: ['src/a.ts'] },
  { text: '@', shows: ['src/a.ts', 'a file.txt'] },
  { text: 'mail a@src', shows: undefined },
])('$text shows $shows', ({ text, shows }) => expect(items(text)).toEqual(shows))

test('a choice takes the place of what was written of it, wherever the cursor is', () => {
  const editor = { text: 'look at @sr please', cursor: 11 }
  const menu = menuFor(editor, sources)
  if (!menu) throw new Error('no menu')
  expect(takeChoice(editor, menu)).toEqual({ text: 'look at @src/a.ts please', cursor: 18 })
})

test('the choice goes round at the ends', () => {
  const menu = menuFor(editorWith('/'), sources)
  if (!menu) throw new Error('no menu')
  expect(moveChoice(menu, -1).at).toBe(3)
  expect(moveChoice(moveChoice(menu, -1), 1).at).toBe(0)
})

test('a path with blanks is quoted', () => expect(fileMark('a file.txt')).toBe('@"a file.txt"'))
