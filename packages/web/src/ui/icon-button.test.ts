import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { IconButton } from './icon-button.tsx'

test('a button with an icon has its label as name and tooltip, and submits no form', () => {
  const html = draw(IconButton, { icon: 'close', label: 'Close', disabled: true })
  expect(html).toContain('type="button"')
  expect(html).toContain('aria-label="Close" title="Close" disabled=""')
})

test('text beside the icon is shown where it is given', () => {
  expect(draw(IconButton, { icon: 'tree', label: 'Tree', text: 'Tree' })).toContain('<span>Tree</span>')
  expect(draw(IconButton, { icon: 'tree', label: 'Tree' })).not.toContain('<span>')
})
