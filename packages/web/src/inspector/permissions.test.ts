import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Permissions } from './permissions.tsx'

test('until the server has answered it says that it loads', () => {
  expect(draw(Permissions, {})).toBe('<p class="rail-note">Loading …</p>')
})
