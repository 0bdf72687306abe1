import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import type { SwitchScope } from '../conversation/loading/load-middleware.ts'
import { SwitchOffDialog } from './switch-off-dialog.tsx'

const drawn = (...scopes: SwitchScope[]) =>
  draw(SwitchOffDialog, { name: 'approval', scopes, choose: () => {}, cancel: () => {} })

test('both scopes are offered, and the button with the focus keeps the guard on', () => {
  const html = drawn('conversation', 'everyone')
  expect(html).toMatch(/autofocus=""[^>]*>Keep it on<.*Off in this conversation.*Off for everyone/is)
  expect(html).toContain('Deny rules hold regardless.')
})

test('a scope that is not the person’s to choose is not offered', () => {
  expect(drawn('everyone')).not.toContain('Off in this conversation')
})
