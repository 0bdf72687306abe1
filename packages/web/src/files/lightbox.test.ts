import { afterEach, expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import Lightbox from './lightbox.tsx'
import { closeLightbox } from './lightbox-state.ts'

afterEach(closeLightbox)

test('without pictures nothing lies over the page', () => {
  expect(draw(Lightbox, {})).toBe('')
})
