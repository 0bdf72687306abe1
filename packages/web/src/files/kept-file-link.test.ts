import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { KeptFileLink } from './kept-file-link.tsx'

test('a kept file is a button that saves it, and no link that would open it in this page', () => {
  const html = draw(KeptFileLink, { id: 'f', name: 'page.html' })
  expect(html).toContain('aria-label="Save page.html"')
  expect(html).not.toContain('href')
})
