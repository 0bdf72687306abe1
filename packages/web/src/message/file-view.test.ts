import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { FileView } from './file-view.tsx'

const drawn = (file: { mediaType: string; data: string; name?: string }) =>
  renderToStaticMarkup(createElement(FileView, { file }))

test('an image with its data is a picture', () => {
  expect(drawn({ mediaType: 'image/png', data: 'AAAA', name: 'a.png' })).toBe(
    '<button type="button" class="picture-button" aria-label="Look at a.png"><img class="picture" src="data:image/png;base64,AAAA" alt="a.png"/></button>',
  )
})

test.each([
  { name: 'an image at an address', file: { mediaType: 'image/png', data: 'https://example.com/a.png' } },
  { name: 'an SVG, which may hold scripts', file: { mediaType: 'image/svg+xml', data: 'AAAA' } },
  { name: 'a page', file: { mediaType: 'text/html', data: 'AAAA', name: 'a.html' } },
])('$name is a name, and nothing is fetched', ({ file }) => {
  expect(drawn(file)).not.toMatch(/<img|src=/)
})
