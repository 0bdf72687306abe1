import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { SaveButton } from './save-button.tsx'

test('with nothing to save the button says so, and can keep the focus', () => {
  expect(draw(SaveButton, { changed: false })).toMatch(/aria-disabled="true"(?!.* disabled)/)
  expect(draw(SaveButton, { changed: true })).toContain('aria-disabled="false"')
})
