import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { FoldedPastes } from './folded-pastes.tsx'

test('each paste is one line that opens it, and can be removed; its text is not on the page', () => {
  const text = Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n')
  const html = draw(FoldedPastes, {}, { draft: { text: '', files: [], pastes: [{ key: 'k', text }] } })
  expect(html).toContain('aria-label="Open: Pasted 500 lines"')
  expect(html).toContain('aria-label="Remove: Pasted 500 lines"')
  expect(html).not.toContain('line 1\n')
})

test('without pastes there is no list', () => {
  expect(draw(FoldedPastes, {})).toBe('')
})
