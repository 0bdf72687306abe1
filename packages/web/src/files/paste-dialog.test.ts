import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import PasteDialog from './paste-dialog.tsx'

test('the pasted text is there to be edited, in lines that do not wrap', () => {
  const html = draw(PasteDialog, { text: 'one\ntwo', done: () => {}, cancel: () => {} })
  expect(html).toMatch(/<textarea[^>]*aria-label="Pasted text"[^>]*wrap="off"[^>]*>one\ntwo<\/textarea>/)
})
