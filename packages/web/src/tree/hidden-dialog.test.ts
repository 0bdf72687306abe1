import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { HiddenDialog } from './hidden-dialog.tsx'

test('until the list is read it claims nothing', () => {
  const html = draw(HiddenDialog, { done: () => {} }, { openId: 'c' })
  expect(html).toContain('aria-label="Hidden messages"')
  expect(html).not.toContain('Nothing is hidden')
})
