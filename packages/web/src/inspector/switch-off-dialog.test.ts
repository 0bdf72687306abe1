import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { SwitchOffDialog } from './switch-off-dialog.tsx'

test('both scopes are offered, and the button with the focus keeps the guard on', () => {
  const html = draw(SwitchOffDialog, { name: 'approval', choose: () => {}, cancel: () => {} })
  expect(html).toMatch(/autofocus=""[^>]*>Keep it on<.*Off in this conversation.*Off for everyone/is)
  expect(html).toContain('Deny rules hold regardless.')
})
