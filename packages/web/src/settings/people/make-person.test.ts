import { expect, test } from 'vitest'
import { draw } from '../../../test/draw.ts'
import { MakePerson } from './make-person.tsx'

test('a member without an end is what is made unless told otherwise, and only with a name', () => {
  const html = draw(MakePerson, { made: () => {} })
  expect(html).toContain('<option selected="">member</option>')
  expect(html).toContain('<option value="0" selected="">never</option>')
  expect(html).toMatch(/disabled="">Make a token/)
})
