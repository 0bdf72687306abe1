import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import RenameDialog from './rename-dialog.tsx'

test('the field has the title so far, and takes as much as the server does', () => {
  const html = draw(RenameDialog, { id: 'c', title: 'Trip', done: () => {} })
  expect(html).toContain('id="new-title" maxLength="200" value="Trip"')
})
