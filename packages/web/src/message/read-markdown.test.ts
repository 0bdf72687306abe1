import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readMarkdown } from './read-markdown.ts'

const read = (text: string, components = {}) =>
  renderToStaticMarkup(createElement(Fragment, null, readMarkdown(text, components)))

test.each([
  { text: '*a* **b** ~~c~~', html: '<p><em>a</em> <strong>b</strong> <del>c</del></p>' },
  { text: 'a\n\n---', html: '<p>a</p>\n<hr/>' },
  { text: 'see https://example.com', html: '<p>see <a href="https://example.com">https://example.com</a></p>' },
  { text: 'a <b onclick="x()">word</b>', html: '<p>a &lt;b onclick=&quot;x()&quot;&gt;word&lt;/b&gt;</p>' },
  { text: '<script>x()</script>', html: '&lt;script&gt;x()&lt;/script&gt;' },
  { text: '[a](javascript:x)', html: '<p><a>a</a></p>' },
  { text: '![a](https://example.com/a.png)', html: '<p><img alt="a"/></p>' },
  {
    text: '![a](data:image/png;base64,AAAA)',
    html: '<p><img src="data:image/png;base64,AAAA" alt="a"/></p>',
  },
])('$text becomes $html', ({ text, html }) => expect(read(text)).toBe(html))

test('an element that has a component is drawn by it', () => {
  const a = ({ href }: { readonly href?: string }) => createElement('i', null, href)
  expect(read('[x](https://example.com/)', { a })).toBe('<p><i>https://example.com/</i></p>')
})
