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

test('HTML in a text is shown as it is written, and a picture only where the text has its data', () => {
  expect(drawn('Use the <Suspense> component')).toContain('Use the &lt;Suspense&gt; component')
  expect(drawn('![a map](data:image/png;base64,AAAA)')).toContain(
    '<img class="picture" src="data:image/png;base64,AAAA"',
  )
  expect(drawn('![a map](data:image/svg+xml;base64,AAAA)')).toContain('Image not loaded: a map')
})

test('a link to a page opens in another tab, which learns nothing of this one', () => {
  expect(drawn('[a](https://example.com/)')).toContain('target="_blank" rel="noopener noreferrer nofollow"')
})

test('lists nest, tasks have a box that says its state, and footnotes are buttons of this page', () => {
  const html = drawn('- a\n  1. b\n     - c\n- [x] done\n- [ ] open\n\nSee[^1].\n\n[^1]: A *note*.')
  expect(html).toMatch(/<ul[^>]*>\s*<li[^>]*>a\s*<ol[^>]*>\s*<li[^>]*>b\s*<ul/)
  expect(html).toMatch(/aria-label="Done:" data-done="true".*aria-label="To do:" data-done="false"/s)
  expect(html).toContain('data-reference="1" aria-label="Footnote 1"')
  expect(html).toMatch(/data-note="1".*<em[^>]*>note<\/em>/s)
  expect(html).not.toContain('href')
})

test('formulas are told from prices', () => {
  const html = drawn('From $5 to $10, \\(a_1\\), $b_2$ and\n\n$$\nc_3\n$$')
  expect(html).toContain('From $5 to $10')
  expect([...html.matchAll(/class="(math[^"]*)"[^>]*>([^<]*)/g)].map(([, kind, tex]) => `${kind}: ${tex}`)).toEqual([
    'math: a_1',
    'math: b_2',
    'math display: c_3',
  ])
})

test('a long text is not drawn whole at once', () => {
  const html = drawn('A paragraph of some words.\n\n'.repeat(8000))
  expect(html.length).toBeGreaterThan(5_000)
  expect(html.length).toBeLessThan(40_000)
})
