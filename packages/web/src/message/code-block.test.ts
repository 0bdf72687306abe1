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

test('the markup of code is text', () => {
  expect(drawn('language-ts', 'const a = "<b>"\n')).toContain('const a = &quot;&lt;b&gt;&quot;\n</span>')
})
