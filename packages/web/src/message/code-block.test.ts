import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CodeBlock } from './code-block.tsx'

const drawn = (className: string | undefined, children: string) =>
  renderToStaticMarkup(createElement(CodeBlock, { className, children }))

test.each([
  { className: 'language-ts', named: 'ts' },
  { className: 'language-c++', named: 'c++' },
  { className: undefined, named: 'text' },
])('a block of $className is named $named', ({ className, named }) => {
  expect(drawn(className, 'a')).toContain(`<figcaption><span>${named}</span>`)
})

test('code is highlighted, its markup is text, and its last line break is left out', () => {
  const html = drawn('language-ts', 'const a = "<b>"\n')
  expect(html).toContain('<span class="hl-word">const</span>')
  expect(html).toContain('&quot;&lt;b&gt;&quot;</span></code>')
})
