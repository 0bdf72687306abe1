import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from './markdown.tsx'

const drawn = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))

test.each([
  { text: '[a](javascript:alert(1))', never: /javascript|href/ },
  { text: '[a](data:text/html,x)', never: /href/ },
  { text: '![a](https://example.com/a.png)', never: /<img|example\.com/ },
  { text: '<script>alert(1)</script>', never: /<script/ },
  { text: '<img src=x onerror=alert(1)>', never: /<img|onerror="/ },
])('$text is drawn without $never', ({ text, never }) => expect(drawn(text)).not.toMatch(never))

test('a link to a page opens in another tab, which learns nothing of this one', () => {
  expect(drawn('[a](https://example.com/)')).toContain('target="_blank" rel="noopener noreferrer nofollow"')
})
