import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Link } from './link.tsx'

const drawn = (href: string | undefined) => renderToStaticMarkup(createElement(Link, { href }, 'words'))

test.each(['https://a.example/b', 'http://a.example', 'mailto:me@a.example'])(
  '%s opens in a tab of its own, which learns nothing of this page',
  href => {
    expect(drawn(href)).toBe(
      `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow" title="${href}">words</a>`,
    )
  },
)

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '/api/x',
  'file:///etc/passwd',
  '',
  undefined,
])('%s is only text', href => {
  expect(drawn(href)).toBe('<span>words</span>')
})

test('a footnote and a heading are gone to on this page, and the address stays', () => {
  expect(drawn('#note-2')).toMatch(/^<sup><button type="button"[^>]*aria-label="Footnote 2">2<\/button><\/sup>$/)
  expect(drawn('#a-heading')).toBe('<button type="button" class="link">words</button>')
})
