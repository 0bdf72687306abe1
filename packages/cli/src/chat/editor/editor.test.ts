import { expect, test } from 'vitest'
import { editorWith, insert, kill, refilled, replaceText, undo, yank } from './editor.ts'

test('another text keeps the cuts, and forgets what to undo', () => {
  const cut = kill(editorWith('one two'), 3, 7)
  const empty = refilled(cut)
  expect(yank(empty).text).toBe(' two')
  expect(undo(empty)).toBe(empty)
})

test('a text that was replaced as a whole comes back with undo', () => {
  expect(undo(replaceText(editorWith('draft'), 'from the history'))).toMatchObject({ text: 'draft', cursor: 5 })
})

test('only so many steps are kept', () => {
  let editor = editorWith('')
  for (let i = 0; i < 300; i++) editor = insert(editor, 'x')
  expect(editor.past).toHaveLength(200)
})
