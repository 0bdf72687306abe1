import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { ImportButton } from './import-button.tsx'

test('files of both forms of an export can be chosen', () => {
  const html = draw(ImportButton, {})
  expect(html).toContain('accept=".json,.md,application/json,text/markdown"')
  expect(html).toContain('aria-label="Import a conversation"')
})
