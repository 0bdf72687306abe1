import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { Logo } from './logo.tsx'

test('the mark has the size that it is given, and no name: words stand beside it', () => {
  expect(draw(Logo, { size: 52 })).toMatch(/width="3.25rem" height="3.25rem".*aria-hidden="true"/)
})
