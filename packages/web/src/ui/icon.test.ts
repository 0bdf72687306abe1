import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Icon } from './icon.tsx'

test('an icon is a drawing that screen readers pass over', () => {
  expect(draw(Icon, { name: 'lock', size: 14 })).toMatch(/<svg[^>]*width="0.875rem"[^>]*aria-hidden="true"/)
})
