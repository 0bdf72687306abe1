import { expect, test } from 'vitest'
import { draw } from '../../test/draw.ts'
import { KeptPicture, Picture } from './picture.tsx'

test('a picture is a button that opens it in large', () => {
  const html = draw(Picture, { src: 'blob:1', name: 'map.png' })
  expect(html).toContain('aria-label="Look at map.png"')
  expect(html).toContain('src="blob:1" alt="map.png"')
})

test('the place of a kept picture is kept while it is loaded', () => {
  expect(draw(KeptPicture, { id: 'f', name: 'map.png' })).toBe('<span class="kept-picture" aria-busy="true"></span>')
})
