import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { CopyButton } from './copy-button.tsx'

test('a button that copies has its label, and a place where screen readers hear that it did', () => {
  const html = draw(CopyButton, { text: 'words', label: 'Copy the link' })
  expect(html).toContain('aria-label="Copy the link"')
  expect(html).toContain('<span class="visually-hidden" role="status"></span>')
})
